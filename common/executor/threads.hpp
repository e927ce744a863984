/// \file
/// What a kernel sees of its thread on the CPU executor: indices, barriers, warp functions,
/// atomics.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "executor/language/vocabulary.hpp"

namespace nbody::executor {

/// Indices of the CUDA thread that this OS thread is running; the scheduler sets them at every
/// switch.
struct ThreadIndices {
  uint3 thread, block, blockExtent, gridExtent;
  int lane;  ///< within the warp, 0 to 31
};

// Defined here and constant-initialised, so that a kernel reads it without a call.
inline constinit thread_local ThreadIndices currentThread{};

/// A line of a kernel that waits for other threads.
struct Site {
  const char* function;
  const char* file;
  int line;
};

enum class WarpOperation : std::uint8_t { sync, shuffle, ballot };

/// Waits until every thread of the block has come to this barrier.
void waitForBlock(Site site);

/// Waits until every lane of \p mask that still runs has come to the same operation.
/// Returns lane \p source's \p value for a shuffle, the lanes with a non-zero value for a ballot.
std::uint64_t waitForWarp(Site site,
                          WarpOperation operation,
                          unsigned mask,
                          std::uint64_t value,
                          int source);

template <class T>
T shuffle(Site site, unsigned mask, T value, int source) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = waitForWarp(site, WarpOperation::shuffle, mask, bits, source);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The lanes of \p mask whose \p predicate holds.
inline unsigned ballot(Site site, unsigned mask, bool predicate) {
  return waitForWarp(site, WarpOperation::ballot, mask, predicate, 0);
}

}  // namespace nbody::executor

// Macros, because a kernel may read these but not assign them.
#define threadIdx (static_cast<const uint3&>(::nbody::executor::currentThread.thread))
#define blockIdx (static_cast<const uint3&>(::nbody::executor::currentThread.block))
#define blockDim (static_cast<const uint3&>(::nbody::executor::currentThread.blockExtent))
#define gridDim (static_cast<const uint3&>(::nbody::executor::currentThread.gridExtent))
inline constexpr int warpSize = 32;

// The caller's file and line come as default arguments, so that these stay functions.
#define NBODY_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(NBODY_SITE) {
  nbody::executor::waitForBlock({"__syncthreads()", file, line});
}
inline void __syncwarp(unsigned mask = 0xffffffffu, NBODY_SITE) {
  nbody::executor::waitForWarp(
      {"__syncwarp()", file, line}, nbody::executor::WarpOperation::sync, mask, 0, 0);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, NBODY_SITE) {
  return nbody::executor::ballot({"__ballot_sync()", file, line}, mask, predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate, NBODY_SITE) {
  return nbody::executor::ballot({"__any_sync()", file, line}, mask, predicate != 0) != 0;
}
inline int __all_sync(unsigned mask, int predicate, NBODY_SITE) {
  return nbody::executor::ballot({"__all_sync()", file, line}, mask, predicate == 0) == 0;
}

// A warp splits into groups of `width` lanes; a source outside the caller's group gives its own
// value.
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, NBODY_SITE) {
  int group = nbody::executor::currentThread.lane & ~(width - 1);
  return nbody::executor::shuffle(
      {"__shfl_sync()", file, line}, mask, value, group + (source & (width - 1)));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32, NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane ^ laneMask;
  if (source >= (lane & ~(width - 1)) + width) source = lane;
  return nbody::executor::shuffle({"__shfl_xor_sync()", file, line}, mask, value, source);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane + static_cast<int>(delta);
  if (source >= (lane & ~(width - 1)) + width) source = lane;
  return nbody::executor::shuffle({"__shfl_down_sync()", file, line}, mask, value, source);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane - static_cast<int>(delta);
  if (source < (lane & ~(width - 1))) source = lane;
  return nbody::executor::shuffle({"__shfl_up_sync()", file, line}, mask, value, source);
}
#undef NBODY_SITE

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
