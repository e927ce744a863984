/// \file
/// CUDA's mathematical functions that C++ lacks, for float and double.
///
/// If C++ has a function (sqrt, exp, fma, ...), its headers cmath and math.h supply it with CUDA's
/// overloads. noexcept: a C library that has one of these names declares it so.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <cmath>

#include "executor/language/always_inline.hpp"

NBODY_ALWAYS_INLINE double rsqrt(double x) noexcept { return 1 / std::sqrt(x); }
NBODY_ALWAYS_INLINE float rsqrtf(float x) noexcept { return 1 / std::sqrt(x); }

// The names of double with arguments of float.
NBODY_ALWAYS_INLINE float rsqrt(float x) noexcept { return rsqrtf(x); }
NBODY_ALWAYS_INLINE void sincos(float x, float* sine, float* cosine) noexcept {
  sincosf(x, sine, cosine);
}
NBODY_ALWAYS_INLINE float exp10(float x) noexcept { return exp10f(x); }
