/// \file
/// CUDA's __nv_bfloat16: the upper 16 bits of a float, and the pair __nv_bfloat162.
///
/// Rounding to nearest even, subnormal numbers and the one NaN of arithmetic are as on a GPU.
#pragma once

#include "executor/language/math.hpp"
#include "executor/language/small_float.hpp"
#include "executor/language/vector_types.hpp"

#define NBODY_SMALL __nv_bfloat16
#define NBODY_SMALL2 __nv_bfloat162
#define NBODY_SMALL_RAW __nv_bfloat16_raw
#define NBODY_SMALL2_RAW __nv_bfloat162_raw
#define NBODY_FORMAT BFloat16Format
#define NBODY_NAMED(before, after) before##bfloat16##after
#define NBODY_TWICE __bfloat162bfloat162
#include "executor/language/small_float_type.inl"

#include "executor/language/small_float_comparisons.inl"

#include "executor/language/small_float_functions.inl"

#include "executor/language/small_float_conversions.inl"
#undef NBODY_SMALL
#undef NBODY_SMALL2
#undef NBODY_SMALL_RAW
#undef NBODY_SMALL2_RAW
#undef NBODY_FORMAT
#undef NBODY_NAMED
#undef NBODY_TWICE

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
