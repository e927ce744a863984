/// \file
/// CUDA's fast functions of float (__expf, __fdividef, ...), as precise as the usual ones here.
///
/// If a GPU's result differs by more than rounding, this one does too: __powf of a negative
/// base is NaN, __fdividef of a divisor above 2^126 is 0.
/// Source: CUDA C++ Programming Guide, "Intrinsic Functions".
#pragma once

#include <math.h>

#include "executor/language/always_inline.hpp"

NBODY_ALWAYS_INLINE float __expf(float x) { return expf(x); }
NBODY_ALWAYS_INLINE float __exp10f(float x) { return exp10f(x); }
NBODY_ALWAYS_INLINE float __logf(float x) { return logf(x); }
NBODY_ALWAYS_INLINE float __log2f(float x) { return log2f(x); }
NBODY_ALWAYS_INLINE float __log10f(float x) { return log10f(x); }
NBODY_ALWAYS_INLINE float __powf(float x, float y) { return exp2f(y * log2f(x)); }
NBODY_ALWAYS_INLINE float __sinf(float x) { return sinf(x); }
NBODY_ALWAYS_INLINE float __cosf(float x) { return cosf(x); }
NBODY_ALWAYS_INLINE float __tanf(float x) { return sinf(x) / cosf(x); }
NBODY_ALWAYS_INLINE float __tanhf(float x) { return tanhf(x); }
NBODY_ALWAYS_INLINE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
NBODY_ALWAYS_INLINE float __fdividef(float x, float y) {
  return fabsf(y) > 0x1p126f && !std::isinf(y) ? x * 0.0f : x / y;
}
/// \p x clamped to [0, 1]; 0 of a NaN.
NBODY_ALWAYS_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
NBODY_ALWAYS_INLINE float saturate(float x) { return __saturatef(x); }
