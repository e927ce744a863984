/// \file
/// Interface of the scheduler for a kernel's code: its indices, and waits for other threads. CUDA's
/// functions are built on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/vector_types.hpp"

// The scheduler sets these at every switch; no kernel writes them. They are variables, not macros,
// because programs have members and locals of these names. They have constant initial values, so
// that a kernel reads them without a call.
inline thread_local uint3 threadIdx{};
inline thread_local uint3 blockIdx{};
inline thread_local dim3 blockDim{};
inline thread_local dim3 gridDim{};
inline constexpr int warpSize = 32;

namespace nbody::executor {

/// State that the scheduler also sets for the running CUDA thread of this OS thread.
struct CurrentThread {
  int lane;  ///< within the warp, 0 to 31
  bool inKernel;  ///< false: host code
};
inline thread_local CurrentThread currentThread{};

/// A line of a kernel that waits for other threads; line 0: unknown.
struct Site {
  const char* function;
  const char* file;
  int line;
};

enum class WarpOperation : std::uint8_t { sync, shuffle, ballot, gather };

/// Combines the lanes' values: reads values[l] and writes results[l] for each lane l of \p lanes.
using Gather = void (*)(const std::uint64_t* values, unsigned lanes, std::uint64_t* results);

/// Adds \p value to \p sum, or combines them in another way.
using Fold = void (*)(std::uint64_t* sum, std::uint64_t value);

/// Waits until every thread of the block has reached this barrier. Returns how many of them have a
/// true predicate.
int waitForBlock(Site site, bool predicate = false);

/// Waits until every lane of \p mask that still runs has reached the same operation. Returns lane
/// \p source's \p value from a shuffle, the lanes with a non-zero value from a ballot, the caller's
/// result from a gather.
std::uint64_t waitForWarp(Site site, WarpOperation operation, unsigned mask, std::uint64_t value,
                          int source, Gather gather = nullptr);

/// Waits until no thread of the block can continue otherwise. Returns the lanes of the caller's
/// warp that have reached the same line by then, which a GPU calls active threads.
unsigned converge(Site site);

/// Waits for the threads \p first to \p first + \p size - 1 of the block, which are whole warps.
/// All must pass the same numbers. Returns their values, folded in the order of arrival.
std::uint64_t waitForGroup(unsigned first, unsigned size, std::uint64_t value, Fold fold,
                           Site site = {"a wait for several warps", "", 0});

/// Waits until \p holds(\p data), which another thread of the block causes.
void waitUntil(Site site, bool (*holds)(const void* data), const void* data);
/// Waits until \p holds().
template <class Holds>
void waitUntil(Site site, const Holds& holds) {
  const auto call = [](const void* data) { return (*static_cast<const Holds*>(data))(); };
  waitUntil(site, call, &holds);
}

/// Waits until every thread of the grid has arrived. The launch must be cooperative.
void waitForGrid(Site site);

/// Lets other threads of the block continue. A thread that spins must call this.
void yieldThread();

/// Counts an atomic of the calling thread, which may be spinning: every few thousand atomics the
/// other threads get a turn. Does nothing in host code.
void countAtomic();

/// Returns the dynamic shared memory of the calling CUDA thread's block, and its bytes.
void* dynamicSharedBytes();
std::size_t dynamicSharedSize();
/// Returns the shared address of the block with these lower 32 bits.
const void* sharedAt(std::uint32_t low);

/// Ends the block: only \p count lanes of a warp have reached \p site, which needs all 32.
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

/// Returns lane \p source's \p value. A value of more than 8 bytes is sent in pieces.
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

/// Returns the lanes of \p mask whose \p predicate holds.
inline unsigned ballot(Site site, unsigned mask, bool predicate) {
  return static_cast<unsigned>(waitForWarp(site, WarpOperation::ballot, mask, predicate, 0));
}

}  // namespace nbody::executor
