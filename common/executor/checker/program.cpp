#include "executor/checker/program.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace nbody::executor::checker {

/// Returns "tile" for "nbody::forcesKernel(float4 const*, int)::tile".
static std::string lastPart(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Returns whether a thread-local variable belongs to a kernel, not to the executor or a library.
static bool isShared(const std::string& name) {
  for (const char* index : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (name == index) return false;
  for (const char* library :
       {"std::", "nbody::executor::", "boost::", "__cxa", "__cxxabiv1::", "__tls_guard"})
    if (name.rfind(library, 0) == 0) return false;
  return true;
}

static void addThreadLocal(Program& program, const Elf64_Sym& symbol, const char* mangled) {
  if (std::strncmp(mangled, "_ZGV", 4) == 0)
    return program.guards.push_back({symbol.st_value, symbol.st_size, mangled});
  const std::string name = demangled(mangled);
  if (isShared(name))
    program.staticShared.push_back({symbol.st_value, symbol.st_size, mangled, lastPart(name),
                                    name.find("double") != std::string::npos});
}

static void addSymbols(Program& program, std::span<const Elf64_Sym> symbols) {
  for (const Elf64_Sym& symbol : symbols) {
    if (symbol.st_size == 0) continue;
    const char* mangled = program.names.data() + symbol.st_name;
    switch (ELF64_ST_TYPE(symbol.st_info)) {
      case STT_FUNC:
        program.functions.push_back({symbol.st_value, symbol.st_size, mangled});
        break;
      case STT_OBJECT:
        program.variables.push_back({symbol.st_value, symbol.st_size, mangled});
        break;
      case STT_TLS:
        addThreadLocal(program, symbol, mangled);
        break;
    }
  }
}

/// Returns \p count values from \p offset on in the file; none if it ends before.
template <class T>
static std::vector<T> valuesAt(std::istream& file, std::uint64_t offset, std::uint64_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) values.clear();
  return values;
}

// Reads only the symbols, because each run starts with this and the file is ten times as large.
void readSymbols(Program& program) {
  std::ifstream file(program.path, std::ios::binary);
  const auto header = valuesAt<Elf64_Ehdr>(file, 0, 1);
  if (header.empty()) return;
  const auto sections = valuesAt<Elf64_Shdr>(file, header[0].e_shoff, header[0].e_shnum);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr& texts = sections[section.sh_link];
    const auto count = section.sh_size / sizeof(Elf64_Sym);
    program.names = valuesAt<char>(file, texts.sh_offset, texts.sh_size);
    if (!program.names.empty())
      addSymbols(program, valuesAt<Elf64_Sym>(file, section.sh_offset, count));
  }
}

std::string demangledType(const char* name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                              std::free);
  return status == 0 ? text.get() : name;
}

std::string demangled(const char* name) {
  return std::strncmp(name, "_Z", 2) == 0 ? demangledType(name) : name;
}

/// Reads the program, which is the first object that the loader lists.
static int readSegments(dl_phdr_info* object, std::size_t, void* data) {
  Program& program = *static_cast<Program*>(data);
  program.base = object->dlpi_addr;
  const char* constantsEnd = nullptr;
  for (const Elf64_Phdr& segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const char* begin = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const char* end = begin + segment.p_memsz;
    if (segment.p_type == PT_TLS) program.threadLocalBytes = segment.p_memsz;
    if (segment.p_type == PT_GNU_RELRO) constantsEnd = end;
    if (segment.p_type != PT_LOAD) continue;
    if (program.begin == nullptr) program.begin = begin;
    program.end = end;
    if ((segment.p_flags & PF_W) == 0) continue;
    program.writableBegin = begin;
    program.writableEnd = end;
  }
  program.writableBegin = std::max(program.writableBegin, constantsEnd);
  return 1;  // other objects do not matter
}

const Symbol* Program::variableAt(const char* address) const {
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(address) - base;
  for (const Symbol& variable : variables)
    if (offset >= variable.offset && offset < variable.offset + variable.bytes) return &variable;
  return nullptr;
}

// Symbols of the linker, if the program has a __device__ or a __managed__ variable.
extern "C" {
__attribute__((weak)) extern const char __start_nbody_device[];
__attribute__((weak)) extern const char __stop_nbody_device[];
__attribute__((weak)) extern const char __start_nbody_managed[];
__attribute__((weak)) extern const char __stop_nbody_managed[];
}

const Program& program() {
  static const Program& theProgram = *[] {  // never destroyed: used at the program's end
    auto* made = new Program;
    Program& read = *made;
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) read.path.assign(path, static_cast<std::size_t>(length));
    dl_iterate_phdr(readSegments, &read);
    readSymbols(read);
    read.deviceBegin = __start_nbody_device;
    read.deviceEnd = __stop_nbody_device;
    read.managedBegin = __start_nbody_managed;
    read.managedEnd = __stop_nbody_managed;
    programBase = read.base;
    return made;
  }();
  return theProgram;
}

std::string addr2line(const char* options, const std::vector<std::uint64_t>& offsets) {
  std::string command = std::string("addr2line ") + options + " -e '";
  for (const char c : program().path)
    command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  command += "'";
  for (const std::uint64_t offset : offsets)
    command += formatted(" 0x%llx", static_cast<unsigned long long>(offset));
  command += " 2>/dev/null";
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  char part[4096];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe.get()) != nullptr) text += part;
  return text;
}

char* threadLocalBegin() {
  char* begin = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        *static_cast<char**>(data) = static_cast<char*>(object->dlpi_tls_data);
        return 1;
      },
      &begin);
  return begin;
}

}  // namespace nbody::executor::checker
