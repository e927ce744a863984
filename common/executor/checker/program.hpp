/// \file
/// Symbols that the checker reads from the program's own ELF file, and where they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nbody::executor::checker {

struct Symbol {
  std::uint64_t offset;  ///< in the program, or in its thread-local memory
  std::uint64_t bytes;
  const char* mangled;  ///< its name: few of thousands are ever shown as people write them
  std::string name = {};  ///< of a kernel's variable, as people write it: "tile"
  bool isDouble = false;  ///< a variable of a function that takes doubles
};

struct Program {
  std::string path;
  std::uint64_t base = 0;  ///< address minus offset in the file
  const char* begin = nullptr;  ///< in memory, with its constants
  const char* end = nullptr;
  std::uint64_t threadLocalBytes = 0;
  const char* writableBegin = nullptr;  ///< of its variables; constants set at its start lie before
  const char* writableEnd = nullptr;
  const char* deviceBegin = nullptr;  ///< of its __device__ and __constant__ variables
  const char* deviceEnd = nullptr;
  std::vector<Symbol> staticShared;  ///< variables of kernels, see staticSharedBegin()
  std::vector<Symbol> guards;  ///< of those that are constructed at their first use
  std::vector<Symbol> variables;  ///< of static storage
  std::vector<Symbol> functions;
  std::vector<char> names;  ///< of all symbols

  bool isDeviceVariable(const char* address) const {
    return address >= deviceBegin && address < deviceEnd;
  }
  bool isHostVariable(const char* address) const {
    return address >= writableBegin && address < writableEnd && !isDeviceVariable(address);
  }
  /// The variable at \p address; null: none.
  const Symbol* variableAt(const char* address) const;
};

/// Returns a name as people write it; \p name itself if it is no C++ name.
std::string demangled(const char* name);

/// Read at the first call.
const Program& program();

/// The program's thread-local memory of the calling OS thread.
char* threadLocalBegin();
/// Address from which the offsets of static shared memory count.
char* staticSharedBegin();

inline std::uint64_t programBase = 0;  ///< copy of program().base that the checks read

inline std::uint32_t offsetInProgram(const void* code) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - programBase);
}

/// Adds those of the file at program.path; none where it has none.
void readSymbols(Program& program);

}  // namespace nbody::executor::checker
