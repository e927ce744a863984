/// \file
/// CUDA's min() and max() in the global namespace, for every pair of arithmetic types.
///
/// Mixed signs compare as unsigned, as in CUDA; of a number and a NaN the number is the result.
#pragma once

#include <math.h>

#include "executor/language/always_inline.hpp"

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

// The names with the type in front.
#define NBODY_NAMED(T, prefix)                                          \
  NBODY_ALWAYS_INLINE T prefix##min(T a, T b) { return b < a ? b : a; } \
  NBODY_ALWAYS_INLINE T prefix##max(T a, T b) { return a < b ? b : a; }
NBODY_NAMED(unsigned, u)
NBODY_NAMED(long long, ll)
NBODY_NAMED(unsigned long long, ull)
#undef NBODY_NAMED
