/// \file
/// The arrays that a kernel may use, each with its shadow.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "executor/checker/program.hpp"
#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

enum class Space { shared, global, local };
enum class Memory : std::uint8_t { global, shared, constant };
inline constexpr const char* kMemories[] = {"global", "shared", "constant"};

inline constexpr const char* kDynamicShared = "dynamic shared memory";

/// A shared or global array.
struct Array {
  char* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t redZone = 0;  ///< bytes on either side; an access there is out of this array's bounds
  std::size_t elementBytes = 0;  ///< 0: unknown
  std::vector<std::size_t> innerExtents;  ///< for tile[32][33]: 33
  bool isDeclared = false;  ///< a variable whose declaration has not been read yet
  bool isDouble = false;  ///< belongs to a function that takes doubles
  const char* file = nullptr;  ///< for dynamic shared memory: where the kernel asks for it
  int line = 0;
  Space space = Space::global;
  std::string name;
  const char* allocatedIn = nullptr;  ///< file of the line that allocates it; null: unknown
  int allocatedLine = 0;
  bool isConstant = false;  ///< a __constant__ variable, which no kernel may write
  bool touched = false;  ///< something was written since forgetWritten()
  std::atomic<std::uint64_t> bytesRead = 0;  ///< total of kernels since the array was made

  // The shadow has one entry per word. Its pages that no kernel touches cost nothing.
  // A slice. A read of the whole word in this slice needs no check, because an equal read has been
  // checked and remembered. The number may also stand for a launch or for an epoch of a block, and
  // then holds for any slice in it.
  Slice* covered = nullptr;
  std::uint8_t* written = nullptr;  ///< a bit per byte; and kHasMore
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
  std::size_t offsetOf(const void* address) const {
    return static_cast<const char*>(address) - begin;
  }
  /// Reads name and elementBytes from the source. \p code is an access.
  void askSource(std::uint32_t code);
  void forgetAccesses();
  /// Forgets that anything was written.
  void forgetWritten();
  /// Sets whether the bytes from \p first to \p end count as written.
  void setWritten(std::size_t first, std::size_t end, bool isWritten);

 private:
  std::size_t shadowBytes() const;

  void* shadow_ = nullptr;
};

inline Memory memoryOf(const Array& array) {
  return array.space == Space::shared ? Memory::shared
         : array.isConstant           ? Memory::constant
                                      : Memory::global;
}
/// Returns "shared", "constant" or "global".
inline std::string memoryName(const Array& array) {
  return kMemories[static_cast<int>(memoryOf(array))];
}

/// Adds an array. Global arrays belong to all OS threads, shared ones to the calling one.
void addArray(Array& array);
void removeArray(Array& array);
std::vector<Array*> globalArrays();
const std::vector<Array*>& sharedArrays();

/// Frees the arrays that kernels of earlier launches no longer use.
void forgetGoneArrays();

/// Number that grows when an array is removed, which makes invalid what other OS threads remember.
inline std::atomic<unsigned> arraysVersion = 0;

/// Returns the array that holds \p address, or in whose red zone it is; null if there is none.
Array* arrayAround(const char* address);
/// Does the same for global arrays only, also while a thread ends, which has no shared ones then.
Array* globalArrayAround(const char* address);
/// Returns the array that holds all of these bytes; null if none does, or if there are no bytes.
Array* arrayThatHolds(const void* address, std::size_t bytes);

}  // namespace nbody::executor::checker
