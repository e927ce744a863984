/// \file
/// The arrays that a kernel may use, each with its shadow.
#pragma once

#include <atomic>
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
  std::vector<std::size_t> innerExtents;  ///< of tile[32][33]: 33
  bool isDeclared = false;  ///< a variable, until its declaration is asked for more
  bool isDouble = false;  ///< of a function that takes doubles
  const char* file = nullptr;  ///< of dynamic shared memory: where the kernel asks for it
  int line = 0;
  Space space = Space::global;
  std::string name;
  const char* allocatedIn = nullptr;  ///< the file whose line allocates it; null: not known
  int allocatedLine = 0;
  bool allWritten = false;  ///< every byte counts as written
  bool isConstant = false;  ///< a __constant__ variable, which no kernel may write
  bool touched = false;  ///< something has been written since forgetWritten()
  std::atomic<std::uint64_t> bytesRead = 0;  ///< by kernels, since the array was made

  // The shadow, one entry for each word. Pages of it that no kernel touches cost nothing.
  /// A slice: all that a read of the whole word by one of this slice would be compared with has
  /// been, and what it would be remembered for is. A launch's number, or that of a block's epoch:
  /// by any of the launch or the epoch.
  Slice* covered = nullptr;
  std::uint8_t* written = nullptr;  ///< a bit for each byte; and kHasMore
  Last* last = nullptr;
  More* more = nullptr;

  Array(char* begin, std::size_t bytes, Space space, std::string name);
  ~Array();
  Array(const Array&) = delete;

  std::size_t wordCount() const { return (bytes + kWordBytes - 1) / kWordBytes; }
  bool holds(const char* address, std::size_t length) const {
    const std::size_t offset = address - begin;
    return offset < bytes && length <= bytes - offset;
  }
  /// Completes name and elementBytes from the source; \p code is an access.
  void askSource(std::uint32_t code);
  void forgetAccesses();
  /// Nothing counts as written any more.
  void forgetWritten();
  /// Sets whether the bytes from \p first to \p end count as written.
  void setWritten(std::size_t first, std::size_t end, bool isWritten);

 private:
  std::size_t shadowBytes() const;

  void* shadow_ = nullptr;
};

/// Global arrays are of all OS threads, shared ones of the calling one.
void addArray(Array& array);
void removeArray(Array& array);
std::vector<Array*> globalArrays();
const std::vector<Array*>& sharedArrays();

/// Frees the arrays that kernels of past launches have let go of.
void forgetGoneArrays();

/// Grows when an array goes: what other OS threads have remembered of it is void.
inline std::atomic<unsigned> arraysVersion = 0;

/// The array that holds \p address, or else in whose red zone it lies; null where there is none.
Array* arrayAround(const char* address);

}  // namespace nbody::executor::checker
