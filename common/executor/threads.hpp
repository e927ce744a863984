/// \file
/// Interface of the scheduler to a kernel's code: its indices, and waiting for other threads. The
/// functions with CUDA's own names are built on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/vector_types.hpp"

// Set by the scheduler at every switch; no kernel writes them. Variables, not macros: programs have
// members and locals of these names. Defined here with constant values, so that a kernel reads them
// without a call.
inline thread_local uint3 threadIdx{};
inline thread_local uint3 blockIdx{};
inline thread_local dim3 blockDim{};
inline thread_local dim3 gridDim{};
inline constexpr int warpSize = 32;

namespace nbody::executor {

/// State that the scheduler also sets for the CUDA thread that this OS thread is running.
struct CurrentThread {
  int lane;  ///< within the warp, 0 to 31
  bool inKernel;  ///< rather than host code
};
inline thread_local CurrentThread currentThread{};

/// A line of a kernel that waits for other threads; line 0 where it is not known.
struct Site {
  const char* function;
  const char* file;
  int line;
};

enum class WarpOperation : std::uint8_t { sync, shuffle, ballot, gather };

/// Combines the lanes' values for a gather: reads values[l] and writes results[l] for each lane l
/// of \p lanes.
using Gather = void (*)(const std::uint64_t* values, unsigned lanes, std::uint64_t* results);

/// Adds \p value to \p sum, whatever adding means.
using Fold = void (*)(std::uint64_t* sum, std::uint64_t value);

/// Waits until every thread of the block has come to this barrier. Returns how many of them came
/// with a true predicate.
int waitForBlock(Site site, bool predicate = false);

/// Waits until every lane of \p mask that still runs has come to the same operation.
/// Returns lane \p source's \p value for a shuffle, the lanes with a non-zero value for a ballot,
/// the caller's result for a gather.
std::uint64_t waitForWarp(Site site, WarpOperation operation, unsigned mask, std::uint64_t value,
                          int source, Gather gather = nullptr);

/// Waits until no thread of the block can go on otherwise. Returns the lanes of the caller's warp
/// that have come to the same line by then: what a GPU calls the active threads.
unsigned converge(Site site);

/// Waits for the threads \p first to \p first + \p size - 1 of the block, whole warps; all of them
/// pass the same numbers. Returns their values, folded in the order in which they came.
std::uint64_t waitForGroup(unsigned first, unsigned size, std::uint64_t value, Fold fold,
                           Site site = {"a wait for several warps", "", 0});

/// Waits until \p holds(\p data), which another thread of the block brings about.
void waitUntil(Site site, bool (*holds)(const void* data), const void* data);

/// Waits until every thread of the grid has come; the launch must be cooperative.
void waitForGrid(Site site);

/// Lets the other threads of the block go on that can; what a thread that spins must call.
void yieldThread();

/// Counts an atomic of the calling thread, which may be one of a thread that spins: every few
/// thousand the others have their turn. Nothing in host code.
void countAtomic();

/// The dynamic shared memory of the calling CUDA thread's block, and its bytes.
void* dynamicSharedBytes();
std::size_t dynamicSharedSize();
/// The shared address of the block that has these lower 32 bits.
const void* sharedAt(std::uint32_t low);

/// Ends the block: \p count lanes of a warp have come to \p site, which needs all 32.
[[noreturn]] void failForLanes(Site site, int count);

template <class T>
NBODY_ALWAYS_INLINE std::uint64_t toBits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
NBODY_ALWAYS_INLINE T fromBits(std::uint64_t bits) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

/// Lane \p source's \p value; one of more than 8 bytes goes in pieces.
template <class T>
NBODY_ALWAYS_INLINE T shuffle(Site site, unsigned mask, T value, int source) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (sizeof(T) <= 8) {
    return fromBits<T>(waitForWarp(site, WarpOperation::shuffle, mask, toBits(value), source));
  } else {
    char* bytes = reinterpret_cast<char*>(&value);
    for (std::size_t at = 0; at < sizeof value; at += 8) {
      const std::size_t length = sizeof value - at < 8 ? sizeof value - at : 8;
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes + at, length);
      bits = waitForWarp(site, WarpOperation::shuffle, mask, bits, source);
      std::memcpy(bytes + at, &bits, length);
    }
    return value;
  }
}

/// The lanes of \p mask whose \p predicate holds.
inline unsigned ballot(Site site, unsigned mask, bool predicate) {
  return static_cast<unsigned>(waitForWarp(site, WarpOperation::ballot, mask, predicate, 0));
}

}  // namespace nbody::executor
