/// \file
/// CUDA's warp functions: barrier, votes, shuffles, matches, reductions.
#pragma once

#include "executor/language/always_inline.hpp"
#include "executor/language/atomics.hpp"
#include "executor/threads.hpp"

// CUDA's barriers of a block, votes of a block, and fences.

inline void __syncthreads(NBODY_SITE) {
  nbody::executor::waitForBlock({"__syncthreads()", file, line});
}
/// Waits at a barrier. Returns how many threads have a true predicate.
inline int __syncthreads_count(int predicate, NBODY_SITE) {
  return nbody::executor::waitForBlock({"__syncthreads_count()", file, line}, predicate != 0);
}
inline int __syncthreads_or(int predicate, NBODY_SITE) {
  return nbody::executor::waitForBlock({"__syncthreads_or()", file, line}, predicate != 0) != 0;
}
inline int __syncthreads_and(int predicate, NBODY_SITE) {
  return nbody::executor::waitForBlock({"__syncthreads_and()", file, line}, predicate == 0) == 0;
}

NBODY_ALWAYS_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
NBODY_ALWAYS_INLINE void __threadfence_block() {
  const nbody::executor::BlockScope scope;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
NBODY_ALWAYS_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/// Lets the other threads of the block run, for any time.
inline void __nanosleep(unsigned) { nbody::executor::yieldThread(); }

inline void __syncwarp(unsigned mask = 0xffffffffu, NBODY_SITE) {
  nbody::executor::waitForWarp({"__syncwarp()", file, line}, nbody::executor::WarpOperation::sync,
                               mask, 0, 0);
}
/// Returns the lanes that have reached this line together.
inline unsigned __activemask(NBODY_SITE) {
  return nbody::executor::converge({"__activemask()", file, line});
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

// A warp is divided into groups of `width` lanes. A source outside the caller's group gives the
// caller's own value.
template <class T>
NBODY_ALWAYS_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32, NBODY_SITE) {
  int group = nbody::executor::currentThread.lane & ~(width - 1);
  return nbody::executor::shuffle({"__shfl_sync()", file, line}, mask, value,
                                  group + (source & (width - 1)));
}
template <class T>
NBODY_ALWAYS_INLINE T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32,
                                      NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane ^ laneMask;
  if (source >= (lane & ~(width - 1)) + width) source = lane;
  return nbody::executor::shuffle({"__shfl_xor_sync()", file, line}, mask, value, source);
}
template <class T>
NBODY_ALWAYS_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                       NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane + static_cast<int>(delta);
  if (source >= (lane & ~(width - 1)) + width) source = lane;
  return nbody::executor::shuffle({"__shfl_down_sync()", file, line}, mask, value, source);
}
template <class T>
NBODY_ALWAYS_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                     NBODY_SITE) {
  int lane = nbody::executor::currentThread.lane;
  int source = lane - static_cast<int>(delta);
  if (source < (lane & ~(width - 1))) source = lane;
  return nbody::executor::shuffle({"__shfl_up_sync()", file, line}, mask, value, source);
}

namespace nbody::executor {

/// Gathers the values of a mask's lanes. Returns the caller's result.
template <class T>
unsigned matchLanes(Site site, unsigned mask, T value, Gather gather) {
  return static_cast<unsigned>(
      waitForWarp(site, WarpOperation::gather, mask, toBits(value), 0, gather));
}

/// Computes for each lane which of \p lanes have the same value.
inline void matchAny(const std::uint64_t* values, unsigned lanes, std::uint64_t* results) {
  for (int lane = 0; lane < 32; ++lane) {
    results[lane] = 0;
    for (int other = 0; other < 32; ++other)
      if ((lanes >> other & 1) != 0 && values[other] == values[lane])
        results[lane] |= std::uint64_t{1} << other;
  }
}

/// Computes all of \p lanes if all have the same value, else none.
inline void matchAll(const std::uint64_t* values, unsigned lanes, std::uint64_t* results) {
  std::uint64_t of[32];
  matchAny(values, lanes, of);
  for (int lane = 0; lane < 32; ++lane) results[lane] = of[lane] == lanes ? lanes : 0;
}

}  // namespace nbody::executor

/// Returns the lanes of \p mask with the same bits.
template <class T>
unsigned __match_any_sync(unsigned mask, T value, NBODY_SITE) {
  using namespace nbody::executor;
  return matchLanes({"__match_any_sync()", file, line}, mask, value, &matchAny);
}
/// Returns \p mask if all of it has the same bits, else 0. *all says which.
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all, NBODY_SITE) {
  using namespace nbody::executor;
  const unsigned same = matchLanes({"__match_all_sync()", file, line}, mask, value, &matchAll);
  *all = same != 0;
  return same;
}

#define NBODY_REDUCE(name, T, expression)                                                \
  inline T name(unsigned mask, T value, NBODY_SITE) {                                    \
    return nbody::executor::reduceMembers({#name "()", file, line}, {mask, 0, 0}, value, \
                                          [](T a, T b) { return expression; });          \
  }
#define NBODY_REDUCE_ANY_SIGN(name, expression) \
  NBODY_REDUCE(name, unsigned, expression)      \
  NBODY_REDUCE(name, int, expression)
NBODY_REDUCE_ANY_SIGN(__reduce_min_sync, b < a ? b : a)
NBODY_REDUCE_ANY_SIGN(__reduce_max_sync, a < b ? b : a)
NBODY_REDUCE(__reduce_add_sync, unsigned, a + b)
NBODY_REDUCE(__reduce_and_sync, unsigned, a& b)
NBODY_REDUCE(__reduce_or_sync, unsigned, a | b)
NBODY_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef NBODY_REDUCE_ANY_SIGN
#undef NBODY_REDUCE
/// Wraps around like a sum of unsigned numbers.
inline int __reduce_add_sync(unsigned mask, int value, NBODY_SITE) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value), file, line));
}
