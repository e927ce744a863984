/// \file
/// The arrays that a kernel may use, each with its shadow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "executor/checker/program.hpp"
#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

enum class Space { shared, global };

inline constexpr const char* kDynamicShared = "dynamic shared memory";

/// A shared or global array.
struct Array {
  char* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t redZone = 0;  ///< bytes on either side: an access there is out of this array's bounds
  std::size_t elementBytes = 0;  ///< 0: not known
  const Symbol* symbol = nullptr;  ///< of static shared memory, until the source is asked for more
  const char* file = nullptr;  ///< of dynamic shared memory: where the kernel asks for it
  int line = 0;
  Cell* cells = nullptr;  ///< one for each word
  std::uint8_t* written = nullptr;  ///< for each word, a bit for each byte
  bool touched = false;  ///< since clear()
  bool allWritten = false;  ///< every byte counts as written
  std::uint64_t bytesRead = 0;  ///< by kernels, since the array was made
  Space space = Space::global;
  std::string name;
  void* shadow = nullptr;  ///< owned: what cells and written lie in

  Array(char* begin, std::size_t bytes, Space space, std::string name);
  ~Array();
  Array(const Array&) = delete;

  std::size_t cellCount() const { return (bytes + kWordBytes - 1) / kWordBytes; }
  bool holds(const char* address, std::size_t length) const {
    const std::size_t offset = address - begin;
    return offset < bytes && length <= bytes - offset;
  }
  /// Completes name and elementBytes from the source; \p code is an access.
  void askSource(std::uint32_t code);
  /// Forgets all accesses, and that anything was written.
  void clear();
  /// Sets whether the bytes from \p begin to \p end count as written.
  void setWritten(std::size_t begin, std::size_t end, bool isWritten);
};

/// The array used last, which is most often the next one too; never null.
extern Array* lastArray;

void forgetLastArray();
void addArray(Array& array);
void removeArray(Array& array);
const std::vector<Array*>& arrays();

/// The array that holds \p address, or else in whose red zone it lies; null where there is none.
Array* arrayAround(const char* address);

/// Makes an array of each static shared array of the program, for the calling OS thread.
void addStaticShared();

/// Makes an array of each __device__ variable of the program.
void addDeviceVariables();

/// Whether a kernel may read or write \p address though it is in no array nor on its stack: the
/// launch's arguments, its indices, the program's constants.
bool isOrdinary(const char* address, bool writes);

/// What \p address is, which no kernel may use: "the host's stack"; empty where that is not known.
std::string strayName(const char* address);

/// The static shared array next to \p address in the memory that holds all of them; null: it is not
/// there.
Array* staticSharedNear(const char* address);

}  // namespace nbody::executor::checker
