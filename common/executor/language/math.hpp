/// \file
/// CUDA's mathematical functions that C++ lacks, for float and double.
///
/// Where C++ has a function (sqrt, exp, fma, ...), its headers cmath and math.h supply it with CUDA's
/// overloads. noexcept: a C library that has one of these names declares it so.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <cmath>

#include "executor/language/always_inline.hpp"

// In special_functions.cpp: those of float are the rounded results of double.
#define NBODY_SPECIAL_FUNCTION(name) \
  double name(double x) noexcept;    \
  float name##f(float x) noexcept;   \
  NBODY_ALWAYS_INLINE float name(float x) noexcept { return name##f(x); }
NBODY_SPECIAL_FUNCTION(sinpi)
NBODY_SPECIAL_FUNCTION(cospi)
NBODY_SPECIAL_FUNCTION(erfinv)
NBODY_SPECIAL_FUNCTION(erfcinv)
NBODY_SPECIAL_FUNCTION(erfcx)
NBODY_SPECIAL_FUNCTION(normcdf)
NBODY_SPECIAL_FUNCTION(normcdfinv)
NBODY_SPECIAL_FUNCTION(cyl_bessel_i0)
NBODY_SPECIAL_FUNCTION(cyl_bessel_i1)
#undef NBODY_SPECIAL_FUNCTION

/// Square root of the sum of \p count squares, without overflow on the way.
double norm(int count, const double* values) noexcept;
float normf(int count, const float* values) noexcept;

#define NBODY_MATH(T, f)                                                                         \
  NBODY_ALWAYS_INLINE T rsqrt##f(T x) noexcept { return T(1) / std::sqrt(x); }                   \
  NBODY_ALWAYS_INLINE T rcbrt##f(T x) noexcept { return T(1) / std::cbrt(x); }                   \
  NBODY_ALWAYS_INLINE T fdivide##f(T a, T b) noexcept { return a / b; }                          \
  NBODY_ALWAYS_INLINE T rhypot##f(T x, T y) noexcept { return T(1) / std::hypot(x, y); }         \
  NBODY_ALWAYS_INLINE T norm3d##f(T x, T y, T z) noexcept {                                      \
    const T values[] = {x, y, z};                                                                \
    return norm##f(3, values);                                                                   \
  }                                                                                              \
  NBODY_ALWAYS_INLINE T norm4d##f(T x, T y, T z, T w) noexcept {                                 \
    const T values[] = {x, y, z, w};                                                             \
    return norm##f(4, values);                                                                   \
  }                                                                                              \
  NBODY_ALWAYS_INLINE T rnorm3d##f(T x, T y, T z) noexcept { return T(1) / norm3d##f(x, y, z); } \
  NBODY_ALWAYS_INLINE T rnorm4d##f(T x, T y, T z, T w) noexcept {                                \
    return T(1) / norm4d##f(x, y, z, w);                                                         \
  }                                                                                              \
  NBODY_ALWAYS_INLINE T rnorm##f(int count, const T* values) noexcept {                          \
    return T(1) / norm##f(count, values);                                                        \
  }                                                                                              \
  NBODY_ALWAYS_INLINE void sincospi##f(T x, T* sine, T* cosine) noexcept {                       \
    *sine = sinpi##f(x);                                                                         \
    *cosine = cospi##f(x);                                                                       \
  }
NBODY_MATH(double, )
NBODY_MATH(float, f)
#undef NBODY_MATH

// The names of double with arguments of float.
NBODY_ALWAYS_INLINE float rsqrt(float x) noexcept { return rsqrtf(x); }
NBODY_ALWAYS_INLINE float rcbrt(float x) noexcept { return rcbrtf(x); }
NBODY_ALWAYS_INLINE float fdivide(float a, float b) noexcept { return a / b; }
NBODY_ALWAYS_INLINE float rhypot(float x, float y) noexcept { return rhypotf(x, y); }
NBODY_ALWAYS_INLINE float norm3d(float x, float y, float z) noexcept { return norm3df(x, y, z); }
NBODY_ALWAYS_INLINE float norm4d(float x, float y, float z, float w) noexcept {
  return norm4df(x, y, z, w);
}
NBODY_ALWAYS_INLINE float rnorm3d(float x, float y, float z) noexcept { return rnorm3df(x, y, z); }
NBODY_ALWAYS_INLINE float rnorm4d(float x, float y, float z, float w) noexcept {
  return rnorm4df(x, y, z, w);
}
NBODY_ALWAYS_INLINE void sincospi(float x, float* sine, float* cosine) noexcept {
  sincospif(x, sine, cosine);
}
NBODY_ALWAYS_INLINE void sincos(float x, float* sine, float* cosine) noexcept {
  sincosf(x, sine, cosine);
}
NBODY_ALWAYS_INLINE float exp10(float x) noexcept { return exp10f(x); }
NBODY_ALWAYS_INLINE float j0(float x) noexcept { return j0f(x); }
NBODY_ALWAYS_INLINE float j1(float x) noexcept { return j1f(x); }
NBODY_ALWAYS_INLINE float jn(int n, float x) noexcept { return jnf(n, x); }
NBODY_ALWAYS_INLINE float y0(float x) noexcept { return y0f(x); }
NBODY_ALWAYS_INLINE float y1(float x) noexcept { return y1f(x); }
NBODY_ALWAYS_INLINE float yn(int n, float x) noexcept { return ynf(n, x); }
