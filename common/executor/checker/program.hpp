/// \file
/// Symbols that the checker reads from the program's own ELF file, and their addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nbody::executor::checker {

struct Symbol {
  std::uint64_t offset;  ///< in the program, or in its thread-local memory
  std::uint64_t bytes;
  const char* mangled;  ///< mangled, because few of thousands are ever shown
  std::string name = {};  ///< readable name of a kernel's variable: "tile"
  bool isDouble = false;  ///< variable of a function that takes doubles
};

struct Program {
  std::string path;
  std::uint64_t base = 0;  ///< address minus offset in the file
  const char* begin = nullptr;  ///< start in memory, with its constants
  const char* end = nullptr;
  std::uint64_t threadLocalBytes = 0;
  const char* writableBegin = nullptr;  ///< start of its variables; constants lie before
  const char* writableEnd = nullptr;
  const char* deviceBegin = nullptr;  ///< start of its __device__ and __constant__ variables
  const char* deviceEnd = nullptr;
  const char* managedBegin = nullptr;  ///< start of its __managed__ variables
  const char* managedEnd = nullptr;
  std::vector<Symbol> staticShared;  ///< variables of kernels, from threadLocalBegin() on
  std::vector<Symbol> guards;  ///< guards of variables that are constructed at their first use
  std::vector<Symbol> variables;  ///< variables of static storage
  std::vector<Symbol> functions;
  std::vector<char> names;  ///< names of all symbols

  bool isDeviceVariable(const char* address) const {
    return (address >= deviceBegin && address < deviceEnd) ||
           (address >= managedBegin && address < managedEnd);
  }
  bool isHostVariable(const char* address) const {
    return address >= writableBegin && address < writableEnd && !isDeviceVariable(address);
  }
  /// Returns the variable at \p address; null: none.
  const Symbol* variableAt(const char* address) const;
};

/// Returns the readable form of a symbol's name; \p name itself if it is no C++ name.
std::string demangled(const char* name);
/// Returns the readable form of a type's name: of "s", "short".
std::string demangledType(const char* name);

/// Returns the program, which the first call reads.
const Program& program();

/// Returns what addr2line prints about these offsets in the program; empty if it cannot run.
std::string addr2line(const char* options, const std::vector<std::uint64_t>& offsets);

/// Returns the program's thread-local memory of the calling OS thread.
char* threadLocalBegin();

inline std::uint64_t programBase = 0;  ///< copy of program().base for the checks

inline std::uint32_t offsetInProgram(const void* code) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - programBase);
}

/// Adds the symbols of the file at program.path; none if it has none.
void readSymbols(Program& program);

}  // namespace nbody::executor::checker
