#include "executor/checker/program.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>

namespace nbody::executor::checker {

std::string demangled(const char* name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                              std::free);
  return status == 0 ? text.get() : name;
}

/// "tile" of "nbody::forcesKernel(float4 const*, int)::tile"
static std::string lastPart(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Whether a thread-local variable is a kernel's: one of a function, and not of a library.
static bool isShared(const char* mangled, const std::string& name) {
  return std::strncmp(mangled, "_ZZ", 3) == 0 && name.rfind("std::", 0) != 0 &&
         name.rfind("nbody::executor::", 0) != 0;
}

static void addSymbols(Program& program, std::span<const Elf64_Sym> symbols, const char* names) {
  for (const Elf64_Sym& symbol : symbols) {
    const char* mangled = names + symbol.st_name;
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_size == 0) continue;
    if (type == STT_FUNC)
      program.functions.push_back({symbol.st_value, symbol.st_size, mangled, false});
    if (type != STT_TLS) continue;
    const std::string name = demangled(mangled);
    if (isShared(mangled, name))
      program.staticShared.push_back({symbol.st_value,
                                      symbol.st_size,
                                      lastPart(name),
                                      name.find("double") != std::string::npos});
  }
}

static void readSymbols(Program& program) {
  std::ifstream file(program.path, std::ios::binary);
  const std::vector<char> image((std::istreambuf_iterator<char>(file)), {});
  if (image.size() < sizeof(Elf64_Ehdr)) return;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  const std::uint64_t end = header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr);
  if (header->e_shoff == 0 || end > image.size()) return;
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  for (const Elf64_Shdr& section : std::span(sections, header->e_shnum)) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image.data() + section.sh_offset);
    addSymbols(program,
               std::span(symbols, section.sh_size / sizeof(Elf64_Sym)),
               image.data() + sections[section.sh_link].sh_offset);
  }
}

/// The first object that the loader lists is the program.
static int readSegments(dl_phdr_info* object, std::size_t, void* data) {
  Program& program = *static_cast<Program*>(data);
  program.base = object->dlpi_addr;
  for (const Elf64_Phdr& segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const char* begin = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    if (segment.p_type == PT_TLS) program.threadLocalBytes = segment.p_memsz;
    if (segment.p_type != PT_LOAD) continue;
    if (program.begin == nullptr) program.begin = begin;
    program.end = begin + segment.p_memsz;
  }
  return 1;  // the others do not matter
}

const Program& program() {
  static const Program theProgram = [] {
    Program read;
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) read.path.assign(path, static_cast<std::size_t>(length));
    dl_iterate_phdr(readSegments, &read);
    readSymbols(read);
    programBase = read.base;
    return read;
  }();
  return theProgram;
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
