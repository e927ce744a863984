/// \file
/// Arithmetic with the rounding in its name: _rn to nearest even, _rz towards zero, _ru up, _rd
/// down. All except _rn are in rounding.cpp, which switches the processor's mode.
#pragma once

#include <math.h>

#include "executor/language/always_inline.hpp"

#define NBODY_ROUNDED(T, name, parameters, arguments, expression)            \
  NBODY_ALWAYS_INLINE T name##_rn parameters noexcept { return expression; } \
  T name##_rz parameters noexcept;                                           \
  T name##_ru parameters noexcept;                                           \
  T name##_rd parameters noexcept;

// Every function: result, name, parameters, arguments, expression.
#define NBODY_ROUNDED_FUNCTIONS(ROUNDED)                                          \
  ROUNDED(float, __fadd, (float a, float b), (a, b), a + b)                       \
  ROUNDED(float, __fsub, (float a, float b), (a, b), a - b)                       \
  ROUNDED(float, __fmul, (float a, float b), (a, b), a* b)                        \
  ROUNDED(float, __fdiv, (float a, float b), (a, b), a / b)                       \
  ROUNDED(float, __frcp, (float a), (a), 1.0f / a)                                \
  ROUNDED(float, __fsqrt, (float a), (a), sqrtf(a))                               \
  ROUNDED(float, __fmaf, (float a, float b, float c), (a, b, c), fmaf(a, b, c))   \
  ROUNDED(double, __dadd, (double a, double b), (a, b), a + b)                    \
  ROUNDED(double, __dsub, (double a, double b), (a, b), a - b)                    \
  ROUNDED(double, __dmul, (double a, double b), (a, b), a* b)                     \
  ROUNDED(double, __ddiv, (double a, double b), (a, b), a / b)                    \
  ROUNDED(double, __drcp, (double a), (a), 1.0 / a)                               \
  ROUNDED(double, __dsqrt, (double a), (a), sqrt(a))                              \
  ROUNDED(double, __fma, (double a, double b, double c), (a, b, c), fma(a, b, c)) \
  ROUNDED(float, __double2float, (double a), (a), static_cast<float>(a))          \
  ROUNDED(float, __int2float, (int a), (a), static_cast<float>(a))                \
  ROUNDED(float, __uint2float, (unsigned a), (a), static_cast<float>(a))          \
  ROUNDED(float, __ll2float, (long long a), (a), static_cast<float>(a))           \
  ROUNDED(float, __ull2float, (unsigned long long a), (a), static_cast<float>(a)) \
  ROUNDED(double, __ll2double, (long long a), (a), static_cast<double>(a))        \
  ROUNDED(double, __ull2double, (unsigned long long a), (a), static_cast<double>(a))
NBODY_ROUNDED_FUNCTIONS(NBODY_ROUNDED)
#undef NBODY_ROUNDED

NBODY_ALWAYS_INLINE double __int2double_rn(int a) { return a; }
NBODY_ALWAYS_INLINE double __uint2double_rn(unsigned a) { return a; }
NBODY_ALWAYS_INLINE float __frsqrt_rn(float a) {
  return static_cast<float>(1.0 / sqrt(static_cast<double>(a)));
}
#define NBODY_IEEE(mode)                                                    \
  NBODY_ALWAYS_INLINE float __fmaf_ieee_##mode(float a, float b, float c) { \
    return __fmaf_##mode(a, b, c);                                          \
  }
NBODY_IEEE(rn)
NBODY_IEEE(rz)
NBODY_IEEE(ru)
NBODY_IEEE(rd)
#undef NBODY_IEEE
