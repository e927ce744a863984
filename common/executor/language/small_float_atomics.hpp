/// \file
/// Atomic sums of __half, __nv_bfloat16 and their pairs; a pair's two sums are two steps.
#pragma once

#include "executor/language/atomics.hpp"
#include "executor/language/bfloat16.hpp"
#include "executor/language/half.hpp"

#define NBODY_ATOMIC_ADD(T, T2)                                        \
  NBODY_ATOMIC(atomicAdd, T, x + v)                                    \
  NBODY_ALWAYS_INLINE T2 atomicAdd(T2* address, T2 v) {                \
    return {atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y)}; \
  }
NBODY_ATOMIC_ADD(__half, __half2)
NBODY_ATOMIC_ADD(__nv_bfloat16, __nv_bfloat162)
#undef NBODY_ATOMIC_ADD
