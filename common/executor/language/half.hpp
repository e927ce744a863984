/// \file
/// CUDA's __half: 16 bits, 11 of them significant, to 65504, and the pair __half2.
///
/// Rounding to nearest even, subnormal numbers and the one NaN of arithmetic are as on a GPU.
#pragma once

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

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
