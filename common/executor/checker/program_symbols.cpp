#include "executor/checker/program.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace nbody::executor::checker {

/// "tile" of "nbody::forcesKernel(float4 const*, int)::tile"
static std::string lastPart(const std::string& name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Whether a thread-local variable is a kernel's, and not one of the executor or a library.
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

/// \p count values from \p offset on in the file; none where it ends before.
template <class T>
static std::vector<T> valuesAt(std::istream& file, std::uint64_t offset, std::uint64_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) values.clear();
  return values;
}

// Its symbols alone: the rest of the file is ten times as large, and each run begins with this.
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

}  // namespace nbody::executor::checker
