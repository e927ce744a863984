/// \file
/// CUDA's __half (16 bits, 11 of them significant, to 65504) and __nv_bfloat16 (the upper 16 bits
/// of a float), their pairs, and atomic sums.
///
/// Rounding to nearest even, subnormal numbers and the single NaN of arithmetic are as on a GPU.
#pragma once

#include "executor/language/atomics.hpp"
#include "executor/language/math.hpp"
#include "executor/language/small_float.hpp"
#include "executor/language/vector_types.hpp"

#define NBODY_SMALL __half
#define NBODY_SMALL2 __half2
#define NBODY_SMALL_RAW __half_raw
#define NBODY_SMALL2_RAW __half2_raw
#define NBODY_FORMAT HalfFormat
#define NBODY_NAMED(before, after) before##half##after
#define NBODY_TWICE __half2half2
#include "executor/language/small_float_kind.inl"

#define NBODY_SMALL __nv_bfloat16
#define NBODY_SMALL2 __nv_bfloat162
#define NBODY_SMALL_RAW __nv_bfloat16_raw
#define NBODY_SMALL2_RAW __nv_bfloat162_raw
#define NBODY_FORMAT BFloat16Format
#define NBODY_NAMED(before, after) before##bfloat16##after
#define NBODY_TWICE __bfloat162bfloat162
#include "executor/language/small_float_kind.inl"

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// Adds to a pair in two separate steps.
#define NBODY_ATOMIC_ADD(T, T2)                                        \
  NBODY_ATOMIC(atomicAdd, T, x + v)                                    \
  NBODY_ALWAYS_INLINE T2 atomicAdd(T2* address, T2 v) {                \
    return {atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y)}; \
  }
NBODY_ATOMIC_ADD(__half, __half2)
NBODY_ATOMIC_ADD(__nv_bfloat16, __nv_bfloat162)
#undef NBODY_ATOMIC_ADD
