/// \file
/// CUDA's mathematical functions that C++ lacks, for float and double.
///
/// C++'s headers cmath and math.h supply the functions that C++ has (sqrt, exp, fma, ...), with
/// CUDA's overloads. noexcept: a C library that has one of these names declares it so.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <cmath>

#include "executor/language/always_inline.hpp"

NBODY_ALWAYS_INLINE double rsqrt(double x) noexcept { return 1 / std::sqrt(x); }
NBODY_ALWAYS_INLINE float rsqrtf(float x) noexcept { return 1 / std::sqrt(x); }

// Names of double functions, with arguments of float.
NBODY_ALWAYS_INLINE float rsqrt(float x) noexcept { return rsqrtf(x); }
NBODY_ALWAYS_INLINE void sincos(float x, float* sine, float* cosine) noexcept {
  sincosf(x, sine, cosine);
}
NBODY_ALWAYS_INLINE float exp10(float x) noexcept { return exp10f(x); }

// Functions that C++ lacks, each for double, for float with an f, and for float with double's name.
// special_functions.cpp has their code.
#define NBODY_SPECIAL_1(X) \
  X(sinpi)                 \
  X(cospi)                 \
  X(tanpi)                 \
  X(rcbrt) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) X(normcdfinv) X(cyl_bessel_i0) X(cyl_bessel_i1)
#define NBODY_DECLARED(name)     \
  double name(double) noexcept;  \
  float name##f(float) noexcept; \
  NBODY_ALWAYS_INLINE float name(float x) noexcept { return name##f(x); }
NBODY_SPECIAL_1(NBODY_DECLARED)
#undef NBODY_DECLARED

// Lengths of vectors of two, three, four and any number of components, and their reciprocals. Squares
// of the wider type neither overflow nor lose the smallest numbers.
#define NBODY_LENGTHS(T, f, Wide)                                                             \
  NBODY_ALWAYS_INLINE T norm4d##f(T a, T b, T c, T d) noexcept {                              \
    const Wide x = a, y = b, z = c, w = d;                                                    \
    return static_cast<T>(std::sqrt(x * x + y * y + z * z + w * w));                          \
  }                                                                                           \
  NBODY_ALWAYS_INLINE T norm3d##f(T a, T b, T c) noexcept { return norm4d##f(a, b, c, 0); }   \
  NBODY_ALWAYS_INLINE T norm##f(int count, const T* numbers) noexcept {                       \
    Wide sum = 0;                                                                             \
    for (int i = 0; i < count; ++i) {                                                         \
      const Wide x = numbers[i];                                                              \
      sum += x * x;                                                                           \
    }                                                                                         \
    return static_cast<T>(std::sqrt(sum));                                                    \
  }                                                                                           \
  NBODY_ALWAYS_INLINE T rhypot##f(T a, T b) noexcept { return 1 / std::hypot(a, b); }         \
  NBODY_ALWAYS_INLINE T rnorm3d##f(T a, T b, T c) noexcept { return 1 / norm3d##f(a, b, c); } \
  NBODY_ALWAYS_INLINE T rnorm4d##f(T a, T b, T c, T d) noexcept {                             \
    return 1 / norm4d##f(a, b, c, d);                                                         \
  }                                                                                           \
  NBODY_ALWAYS_INLINE T rnorm##f(int n, const T* x) noexcept { return 1 / norm##f(n, x); }    \
  NBODY_ALWAYS_INLINE void sincospi##f(T x, T* sine, T* cosine) noexcept {                    \
    *sine = sinpi(x);                                                                         \
    *cosine = cospi(x);                                                                       \
  }
NBODY_LENGTHS(double, , long double)
NBODY_LENGTHS(float, f, double)
#undef NBODY_LENGTHS
NBODY_ALWAYS_INLINE float rhypot(float a, float b) noexcept { return rhypotf(a, b); }
NBODY_ALWAYS_INLINE void sincospi(float x, float* sine, float* cosine) noexcept {
  sincospif(x, sine, cosine);
}
NBODY_ALWAYS_INLINE float fdividef(float x, float y) { return x / y; }

// CUDA's fast functions of float (__expf, __fdividef, ...), here as precise as the usual ones.
//
// If a GPU's result differs by more than rounding, this one does too: __powf of a negative base is
// NaN, __fdividef of a divisor above 2^126 is 0.
// Source: CUDA C++ Programming Guide, "Intrinsic Functions".

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
/// Returns \p x clamped to [0, 1]; 0 for NaN.
NBODY_ALWAYS_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
NBODY_ALWAYS_INLINE float saturate(float x) { return __saturatef(x); }

// CUDA's min() and max() in the global namespace, for every pair of arithmetic types.
//
// Mixed signs compare as unsigned, as in CUDA. For a number and NaN the result is the number.

#define NBODY_MIN_MAX(A, B, Result)                                                  \
  NBODY_ALWAYS_INLINE Result min(A a, B b) {                                         \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  NBODY_ALWAYS_INLINE Result max(A a, B b) {                                         \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(b)  \
                                                           : static_cast<Result>(a); \
  }
#define NBODY_MIN_MAX_OF_INTEGER(Signed, Unsigned) \
  NBODY_MIN_MAX(Signed, Signed, Signed)            \
  NBODY_MIN_MAX(Unsigned, Unsigned, Unsigned)      \
  NBODY_MIN_MAX(Signed, Unsigned, Unsigned)        \
  NBODY_MIN_MAX(Unsigned, Signed, Unsigned)
NBODY_MIN_MAX_OF_INTEGER(int, unsigned)
NBODY_MIN_MAX_OF_INTEGER(long, unsigned long)
NBODY_MIN_MAX_OF_INTEGER(long long, unsigned long long)
#undef NBODY_MIN_MAX_OF_INTEGER
#undef NBODY_MIN_MAX

#define NBODY_MIN_MAX(A, B, Result, f)                               \
  NBODY_ALWAYS_INLINE Result min(A a, B b) { return fmin##f(a, b); } \
  NBODY_ALWAYS_INLINE Result max(A a, B b) { return fmax##f(a, b); }
NBODY_MIN_MAX(float, float, float, f)
NBODY_MIN_MAX(double, double, double, )
NBODY_MIN_MAX(float, double, double, )
NBODY_MIN_MAX(double, float, double, )
#undef NBODY_MIN_MAX

// Names with the type in front.
#define NBODY_NAMED(T, prefix)                                          \
  NBODY_ALWAYS_INLINE T prefix##min(T a, T b) { return b < a ? b : a; } \
  NBODY_ALWAYS_INLINE T prefix##max(T a, T b) { return a < b ? b : a; }
NBODY_NAMED(unsigned, u)
NBODY_NAMED(long long, ll)
NBODY_NAMED(unsigned long long, ull)
#undef NBODY_NAMED
