/// \file
/// CUDA's barriers of a block, votes of a block, and fences.
#pragma once

#include "executor/language/always_inline.hpp"
#include "executor/language/atomics.hpp"
#include "executor/language/site.hpp"
#include "executor/threads.hpp"

inline void __syncthreads(NBODY_SITE) {
  nbody::executor::waitForBlock({"__syncthreads()", file, line});
}
/// A barrier; how many threads came with a true predicate.
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

/// Lets the other threads of the block run, whatever the time.
inline void __nanosleep(unsigned) { nbody::executor::yieldThread(); }
