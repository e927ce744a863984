/// \file
/// CUDA's barriers and warp functions on the CPU executor.
#pragma once

#include "executor/threads.hpp"

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
