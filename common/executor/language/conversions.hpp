/// \file
/// CUDA's conversions to integers with the rounding in their names, and casts of bits.
///
/// A value out of range becomes the nearest integer of the type. NaN becomes 0, or if either side
/// has 64 bits, only the top bit is set. Source: PTX ISA, cvt.
#pragma once

#include <math.h>

#include <cstring>
#include <limits>

#include "executor/language/always_inline.hpp"

namespace nbody::executor {

/// Returns \p x, a number without a fraction or NaN, as an integer.
template <class Integer, class T>
NBODY_ALWAYS_INLINE Integer toInteger(T x) {
  using Limits = std::numeric_limits<Integer>;
  constexpr bool wide = sizeof(Integer) == 8 || sizeof(T) == 8;
  if (x != x) return wide ? static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1)) : Integer{0};
  // The upper limit plus one is a power of two, which every floating type can represent.
  const T end = 2 * static_cast<T>(Limits::max() / 2 + 1);
  if (x >= end) return Limits::max();
  if (x <= static_cast<T>(Limits::min())) return Limits::min();
  return static_cast<Integer>(x);
}

template <class To, class From>
NBODY_ALWAYS_INLINE To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits on both sides");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace nbody::executor

#define NBODY_TO_INTEGER(From, from, Integer, to)                  \
  NBODY_ALWAYS_INLINE Integer __##from##2##to##_rn(From x) {       \
    return nbody::executor::toInteger<Integer>(std::nearbyint(x)); \
  }                                                                \
  NBODY_ALWAYS_INLINE Integer __##from##2##to##_rz(From x) {       \
    return nbody::executor::toInteger<Integer>(std::trunc(x));     \
  }                                                                \
  NBODY_ALWAYS_INLINE Integer __##from##2##to##_ru(From x) {       \
    return nbody::executor::toInteger<Integer>(std::ceil(x));      \
  }                                                                \
  NBODY_ALWAYS_INLINE Integer __##from##2##to##_rd(From x) {       \
    return nbody::executor::toInteger<Integer>(std::floor(x));     \
  }
#define NBODY_TO_INTEGERS(From, from)          \
  NBODY_TO_INTEGER(From, from, int, int)       \
  NBODY_TO_INTEGER(From, from, unsigned, uint) \
  NBODY_TO_INTEGER(From, from, long long, ll)  \
  NBODY_TO_INTEGER(From, from, unsigned long long, ull)
NBODY_TO_INTEGERS(float, float)
NBODY_TO_INTEGERS(double, double)
#undef NBODY_TO_INTEGERS
#undef NBODY_TO_INTEGER

#define NBODY_BIT_CAST(name, To, From) \
  NBODY_ALWAYS_INLINE To name(From x) { return nbody::executor::bitCast<To>(x); }
NBODY_BIT_CAST(__float_as_int, int, float)
NBODY_BIT_CAST(__int_as_float, float, int)
NBODY_BIT_CAST(__float_as_uint, unsigned, float)
NBODY_BIT_CAST(__uint_as_float, float, unsigned)
NBODY_BIT_CAST(__double_as_longlong, long long, double)
NBODY_BIT_CAST(__longlong_as_double, double, long long)
NBODY_BIT_CAST(float_as_int, int, float)
NBODY_BIT_CAST(int_as_float, float, int)
NBODY_BIT_CAST(float_as_uint, unsigned, float)
NBODY_BIT_CAST(uint_as_float, float, unsigned)
#undef NBODY_BIT_CAST

/// Returns the upper 32 bits of a double.
NBODY_ALWAYS_INLINE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
/// Returns the lower 32 bits of a double.
NBODY_ALWAYS_INLINE int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
NBODY_ALWAYS_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                             static_cast<unsigned>(low)));
}
