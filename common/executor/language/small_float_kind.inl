// The type of one 16-bit format, its pair, and their functions. Included by small_floats.hpp for each, with NBODY_SMALL,
// NBODY_SMALL2, NBODY_SMALL_RAW, NBODY_SMALL2_RAW, NBODY_FORMAT and NBODY_TWICE defined, and NBODY_NAMED(before, after), the
// type's name between the two. They are undefined at the end.
#define NBODY_INLINE NBODY_ALWAYS_INLINE

struct alignas(2) NBODY_SMALL_RAW {
  unsigned short x;
};
struct alignas(4) NBODY_SMALL2_RAW {
  unsigned short x, y;
};

struct alignas(2) NBODY_SMALL : nbody::executor::SmallFloat<nbody::executor::NBODY_FORMAT> {
  using Format = nbody::executor::NBODY_FORMAT;
  using SmallFloat::SmallFloat;
  NBODY_SMALL() = default;
  NBODY_SMALL(const NBODY_SMALL_RAW& raw) { setBits(raw.x); }
  operator NBODY_SMALL_RAW() const { return {bits()}; }
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>, NBODY_SMALL&> operator=(T x) {
    return *this = NBODY_SMALL(x);
  }
  static NBODY_SMALL ofBits(std::uint16_t bits) { return NBODY_SMALL_RAW{bits}; }
  static NBODY_SMALL rounded(
      double x, nbody::executor::Rounding rounding = nbody::executor::Rounding::nearestEven) {
    return ofBits(nbody::executor::roundToSmall<Format>(x, rounding));
  }
};

struct alignas(4) NBODY_SMALL2 {
  NBODY_SMALL x, y;
  NBODY_SMALL2() = default;
  NBODY_SMALL2(NBODY_SMALL x, NBODY_SMALL y) : x(x), y(y) {}
  NBODY_SMALL2(const NBODY_SMALL2_RAW& raw)
      : x(NBODY_SMALL::ofBits(raw.x)), y(NBODY_SMALL::ofBits(raw.y)) {}
  operator NBODY_SMALL2_RAW() const { return {x.bits(), y.bits()}; }
};

// --- Comparisons: false where one is a NaN; with a u, true. Of pairs: 1 or 0 each, a mask, or whether both hold (__hb).

#define NBODY_COMPARISON(op, holds)                                                          \
  NBODY_INLINE bool __h##op(NBODY_SMALL a, NBODY_SMALL b) {                                  \
    const float x = a, y = b;                                                                \
    return holds;                                                                            \
  }                                                                                          \
  NBODY_INLINE NBODY_SMALL2 __h##op##2(NBODY_SMALL2 a, NBODY_SMALL2 b) {                     \
    return {NBODY_SMALL(__h##op(a.x, b.x) ? 1 : 0), NBODY_SMALL(__h##op(a.y, b.y) ? 1 : 0)}; \
  }                                                                                          \
  NBODY_INLINE unsigned __h##op##2_mask(NBODY_SMALL2 a, NBODY_SMALL2 b) {                    \
    return (__h##op(a.x, b.x) ? 0xffffu : 0) | (__h##op(a.y, b.y) ? 0xffff0000u : 0);        \
  }                                                                                          \
  NBODY_INLINE bool __hb##op##2(NBODY_SMALL2 a, NBODY_SMALL2 b) {                            \
    return __h##op(a.x, b.x) && __h##op(a.y, b.y);                                           \
  }
NBODY_COMPARISON(eq, x == y)
NBODY_COMPARISON(ne, x<y || x> y)
NBODY_COMPARISON(le, x <= y)
NBODY_COMPARISON(ge, x >= y)
NBODY_COMPARISON(lt, x < y)
NBODY_COMPARISON(gt, x > y)
NBODY_COMPARISON(equ, !(x < y || x > y))
NBODY_COMPARISON(neu, !(x == y))
NBODY_COMPARISON(leu, !(x > y))
NBODY_COMPARISON(geu, !(x < y))
NBODY_COMPARISON(ltu, !(x >= y))
NBODY_COMPARISON(gtu, !(x <= y))
#undef NBODY_COMPARISON
#define NBODY_OPERATOR(operation, op)                                                  \
  NBODY_INLINE bool operator operation(const NBODY_SMALL& a, const NBODY_SMALL& b) {   \
    return __h##op(a, b);                                                              \
  }                                                                                    \
  NBODY_INLINE bool operator operation(const NBODY_SMALL2& a, const NBODY_SMALL2& b) { \
    return __hb##op##2(a, b);                                                          \
  }
NBODY_OPERATOR(==, eq)
NBODY_OPERATOR(!=, neu)
NBODY_OPERATOR(<, lt)
NBODY_OPERATOR(>, gt)
NBODY_OPERATOR(<=, le)
NBODY_OPERATOR(>=, ge)
#undef NBODY_OPERATOR

// --- Arithmetic, rounded to nearest even. _sat clamps to [0, 1], NaN to 0; _relu clamps below 0.

#define NBODY_OF_TWO(name, value) \
  NBODY_INLINE NBODY_SMALL name(NBODY_SMALL a, NBODY_SMALL b) { return value; }
NBODY_OF_TWO(__hadd, NBODY_SMALL::rounded(double{float(a)} + double{float(b)}))
NBODY_OF_TWO(__hsub, NBODY_SMALL::rounded(double{float(a)} - double{float(b)}))
NBODY_OF_TWO(__hmul, NBODY_SMALL::rounded(double{float(a)} * double{float(b)}))
NBODY_OF_TWO(__hdiv, NBODY_SMALL::rounded(double{float(a)} / double{float(b)}))
NBODY_INLINE NBODY_SMALL __hfma(NBODY_SMALL a, NBODY_SMALL b, NBODY_SMALL c) {
  return NBODY_SMALL::rounded(nbody::executor::fusedToOdd(float(a), float(b), float(c)));
}
NBODY_INLINE NBODY_SMALL __hneg(NBODY_SMALL a) {
  return NBODY_SMALL::ofBits(float(a) != float(a) ? nbody::executor::kSmallNan
                                                  : a.bits() ^ nbody::executor::kSmallSign);
}
NBODY_INLINE NBODY_SMALL __habs(NBODY_SMALL a) {
  return NBODY_SMALL::ofBits(float(a) != float(a) ? nbody::executor::kSmallNan : a.bits() & 0x7fff);
}
NBODY_INLINE bool __hisnan(NBODY_SMALL a) { return float(a) != float(a); }
/// 1 of infinity, -1 of its negative, 0 of all else.
NBODY_INLINE int __hisinf(NBODY_SMALL a) {
  const float x = a;
  return std::isinf(x) ? (x < 0 ? -1 : 1) : 0;
}

namespace nbody::executor {
NBODY_INLINE NBODY_SMALL saturatedSmall(NBODY_SMALL a) {
  const float x = a;
  return !(x > 0) ? NBODY_SMALL::ofBits(0) : x < 1 ? a : NBODY_SMALL(1);
}
NBODY_INLINE NBODY_SMALL notNegativeSmall(NBODY_SMALL a) {
  return float(a) < 0 || a.bits() == kSmallSign ? NBODY_SMALL::ofBits(0) : a;
}
/// The greater of the two, or the less: of a number and a NaN the number, or the NaN.
NBODY_INLINE NBODY_SMALL chosenSmall(NBODY_SMALL a, NBODY_SMALL b, bool greater, bool nan) {
  const float x = a, y = b;
  if (x != x || y != y) {
    if (nan || (x != x && y != y)) return NBODY_SMALL::ofBits(kSmallNan);
    return x != x ? b : a;
  }
  if (x == y) return (((a.bits() & kSmallSign) != 0) == greater) ? b : a;  // -0 is less than 0
  return ((x > y) == greater) ? a : b;
}
}  // namespace nbody::executor

NBODY_OF_TWO(__hmax, nbody::executor::chosenSmall(a, b, true, false))
NBODY_OF_TWO(__hmin, nbody::executor::chosenSmall(a, b, false, false))
NBODY_OF_TWO(__hmax_nan, nbody::executor::chosenSmall(a, b, true, true))
NBODY_OF_TWO(__hmin_nan, nbody::executor::chosenSmall(a, b, false, true))
#undef NBODY_OF_TWO
NBODY_INLINE NBODY_SMALL __hfma_sat(NBODY_SMALL a, NBODY_SMALL b, NBODY_SMALL c) {
  return nbody::executor::saturatedSmall(__hfma(a, b, c));
}
NBODY_INLINE NBODY_SMALL __hfma_relu(NBODY_SMALL a, NBODY_SMALL b, NBODY_SMALL c) {
  return nbody::executor::notNegativeSmall(__hfma(a, b, c));
}

// --- What works on each of a pair does so by the functions of one.

#define NBODY_PAIR1(name, name2) \
  NBODY_INLINE NBODY_SMALL2 name2(NBODY_SMALL2 a) { return {name(a.x), name(a.y)}; }
#define NBODY_PAIR2(name, name2)                                    \
  NBODY_INLINE NBODY_SMALL2 name2(NBODY_SMALL2 a, NBODY_SMALL2 b) { \
    return {name(a.x, b.x), name(a.y, b.y)};                        \
  }
#define NBODY_PAIR3(name, name2)                                                    \
  NBODY_INLINE NBODY_SMALL2 name2(NBODY_SMALL2 a, NBODY_SMALL2 b, NBODY_SMALL2 c) { \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                              \
  }
#define NBODY_ARITHMETIC(name, operation)                                                 \
  NBODY_INLINE NBODY_SMALL name##_rn(NBODY_SMALL a, NBODY_SMALL b) { return name(a, b); } \
  NBODY_INLINE NBODY_SMALL name##_sat(NBODY_SMALL a, NBODY_SMALL b) {                     \
    return nbody::executor::saturatedSmall(name(a, b));                                   \
  }                                                                                       \
  NBODY_PAIR2(name, name##2)                                                              \
  NBODY_PAIR2(name, name##2_rn)                                                           \
  NBODY_PAIR2(name##_sat, name##2_sat)                                                    \
  NBODY_OPERATOR(name, operation)
#define NBODY_OPERATOR(name, operation)                                                        \
  NBODY_INLINE NBODY_SMALL operator operation(const NBODY_SMALL& a, const NBODY_SMALL& b) {    \
    return name(a, b);                                                                         \
  }                                                                                            \
  NBODY_INLINE NBODY_SMALL2 operator operation(const NBODY_SMALL2& a, const NBODY_SMALL2& b) { \
    return {name(a.x, b.x), name(a.y, b.y)};                                                   \
  }                                                                                            \
  NBODY_INLINE NBODY_SMALL& operator operation##=(NBODY_SMALL& a, const NBODY_SMALL& b) {      \
    return a = name(a, b);                                                                     \
  }                                                                                            \
  NBODY_INLINE NBODY_SMALL2& operator operation##=(NBODY_SMALL2& a, const NBODY_SMALL2& b) {   \
    return a = a operation b;                                                                  \
  }
NBODY_ARITHMETIC(__hadd, +)
NBODY_ARITHMETIC(__hsub, -)
NBODY_ARITHMETIC(__hmul, *)
NBODY_OPERATOR(__hdiv, /)
#undef NBODY_ARITHMETIC
#undef NBODY_OPERATOR
NBODY_PAIR2(__hdiv, __h2div)
NBODY_PAIR2(__hmax, __hmax2)
NBODY_PAIR2(__hmin, __hmin2)
NBODY_PAIR2(__hmax_nan, __hmax2_nan)
NBODY_PAIR2(__hmin_nan, __hmin2_nan)
NBODY_PAIR1(__hneg, __hneg2)
NBODY_PAIR1(__habs, __habs2)
NBODY_PAIR3(__hfma, __hfma2)
NBODY_PAIR3(__hfma_sat, __hfma2_sat)
NBODY_PAIR3(__hfma_relu, __hfma2_relu)
NBODY_INLINE NBODY_SMALL2 __hisnan2(NBODY_SMALL2 a) {
  return {NBODY_SMALL(__hisnan(a.x) ? 1 : 0), NBODY_SMALL(__hisnan(a.y) ? 1 : 0)};
}
/// a b + c of complex numbers, x the real part.
NBODY_INLINE NBODY_SMALL2 __hcmadd(NBODY_SMALL2 a, NBODY_SMALL2 b, NBODY_SMALL2 c) {
  const NBODY_SMALL real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)};
}
NBODY_INLINE NBODY_SMALL operator+(const NBODY_SMALL& a) { return a; }
NBODY_INLINE NBODY_SMALL operator-(const NBODY_SMALL& a) { return __hneg(a); }
NBODY_INLINE NBODY_SMALL2 operator+(const NBODY_SMALL2& a) { return a; }
NBODY_INLINE NBODY_SMALL2 operator-(const NBODY_SMALL2& a) { return __hneg2(a); }
NBODY_INLINE NBODY_SMALL& operator++(NBODY_SMALL& a) { return a += NBODY_SMALL(1); }
NBODY_INLINE NBODY_SMALL& operator--(NBODY_SMALL& a) { return a -= NBODY_SMALL(1); }
NBODY_INLINE NBODY_SMALL operator++(NBODY_SMALL& a, int) {
  const NBODY_SMALL before = a;
  ++a;
  return before;
}
NBODY_INLINE NBODY_SMALL operator--(NBODY_SMALL& a, int) {
  const NBODY_SMALL before = a;
  --a;
  return before;
}

// --- Mathematics: in double, then rounded.

#define NBODY_FUNCTION(name, expression)            \
  NBODY_INLINE NBODY_SMALL h##name(NBODY_SMALL a) { \
    const double x = float(a);                      \
    return NBODY_SMALL::rounded(expression);        \
  }                                                 \
  NBODY_PAIR1(h##name, h2##name)
NBODY_FUNCTION(sqrt, std::sqrt(x))
NBODY_FUNCTION(rsqrt, 1 / std::sqrt(x))
NBODY_FUNCTION(rcp, 1 / x)
NBODY_FUNCTION(exp, std::exp(x))
NBODY_FUNCTION(exp2, std::exp2(x))
NBODY_FUNCTION(exp10, ::exp10(x))
NBODY_FUNCTION(log, std::log(x))
NBODY_FUNCTION(log2, std::log2(x))
NBODY_FUNCTION(log10, std::log10(x))
NBODY_FUNCTION(sin, std::sin(x))
NBODY_FUNCTION(cos, std::cos(x))
NBODY_FUNCTION(tanh, std::tanh(x))
NBODY_FUNCTION(tanh_approx, std::tanh(x))
NBODY_FUNCTION(ceil, std::ceil(x))
NBODY_FUNCTION(floor, std::floor(x))
NBODY_FUNCTION(trunc, std::trunc(x))
NBODY_FUNCTION(rint, std::nearbyint(x))
#undef NBODY_FUNCTION
#undef NBODY_PAIR1
#undef NBODY_PAIR2
#undef NBODY_PAIR3

// --- Conversions, and how pairs are put together.

NBODY_INLINE float NBODY_NAMED(__, 2float)(NBODY_SMALL a) { return a; }
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__float2, )(float x) { return NBODY_SMALL::rounded(x); }
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__double2, )(double x) { return NBODY_SMALL::rounded(x); }

#define NBODY_ROUNDED(mode, round, rounding)                             \
  NBODY_INLINE NBODY_SMALL NBODY_NAMED(__float2, _##mode)(float x) {     \
    return NBODY_SMALL::rounded(x, nbody::executor::Rounding::rounding); \
  }                                                                      \
  NBODY_INTEGER(mode, round, rounding, short, short)                     \
  NBODY_INTEGER(mode, round, rounding, unsigned short, ushort)           \
  NBODY_INTEGER(mode, round, rounding, int, int)                         \
  NBODY_INTEGER(mode, round, rounding, unsigned, uint)                   \
  NBODY_INTEGER(mode, round, rounding, long long, ll)                    \
  NBODY_INTEGER(mode, round, rounding, unsigned long long, ull)
#define NBODY_INTEGER(mode, round, rounding, T, name)                 \
  NBODY_INLINE NBODY_SMALL NBODY_NAMED(__##name##2, _##mode)(T x) {   \
    return NBODY_SMALL::rounded(nbody::executor::doubleOf(x),         \
                                nbody::executor::Rounding::rounding); \
  }                                                                   \
  NBODY_INLINE T NBODY_NAMED(__, 2##name##_##mode)(NBODY_SMALL a) {   \
    return nbody::executor::toInteger<T>(round(float(a)));            \
  }
NBODY_ROUNDED(rn, nearbyintf, nearestEven)
NBODY_ROUNDED(rz, truncf, towardsZero)
NBODY_ROUNDED(ru, ceilf, up)
NBODY_ROUNDED(rd, floorf, down)
#undef NBODY_INTEGER
#undef NBODY_ROUNDED
NBODY_INLINE signed char NBODY_NAMED(__, 2char_rz)(NBODY_SMALL a) { return a; }
NBODY_INLINE unsigned char NBODY_NAMED(__, 2uchar_rz)(NBODY_SMALL a) { return a; }

NBODY_INLINE short NBODY_NAMED(__, _as_short)(NBODY_SMALL a) {
  return static_cast<short>(a.bits());
}
NBODY_INLINE unsigned short NBODY_NAMED(__, _as_ushort)(NBODY_SMALL a) { return a.bits(); }
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__short_as_, )(short bits) {
  return NBODY_SMALL::ofBits(static_cast<unsigned short>(bits));
}
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__ushort_as_, )(unsigned short bits) {
  return NBODY_SMALL::ofBits(bits);
}

// Pairs: of one, of two, of floats, and of the halves of others.
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(make_, 2)(NBODY_SMALL a, NBODY_SMALL b) { return {a, b}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__halves2, 2)(NBODY_SMALL a, NBODY_SMALL b) { return {a, b}; }
NBODY_INLINE NBODY_SMALL2 NBODY_TWICE(NBODY_SMALL a) { return {a, a}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__float2, 2_rn)(float x) { return {x, x}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__floats2, 2_rn)(float x, float y) { return {x, y}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__float22, 2_rn)(float2 v) { return {v.x, v.y}; }
NBODY_INLINE float2 NBODY_NAMED(__, 22float2)(NBODY_SMALL2 a) { return {float(a.x), float(a.y)}; }
NBODY_INLINE float __low2float(NBODY_SMALL2 a) { return a.x; }
NBODY_INLINE float __high2float(NBODY_SMALL2 a) { return a.y; }
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__low2, )(NBODY_SMALL2 a) { return a.x; }
NBODY_INLINE NBODY_SMALL NBODY_NAMED(__high2, )(NBODY_SMALL2 a) { return a.y; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__low2, 2)(NBODY_SMALL2 a) { return {a.x, a.x}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__high2, 2)(NBODY_SMALL2 a) { return {a.y, a.y}; }
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__lows2, 2)(NBODY_SMALL2 a, NBODY_SMALL2 b) {
  return {a.x, b.x};
}
NBODY_INLINE NBODY_SMALL2 NBODY_NAMED(__highs2, 2)(NBODY_SMALL2 a, NBODY_SMALL2 b) {
  return {a.y, b.y};
}
NBODY_INLINE NBODY_SMALL2 __lowhigh2highlow(NBODY_SMALL2 a) { return {a.y, a.x}; }
#undef NBODY_INLINE
#undef NBODY_SMALL
#undef NBODY_SMALL2
#undef NBODY_SMALL_RAW
#undef NBODY_SMALL2_RAW
#undef NBODY_FORMAT
#undef NBODY_NAMED
#undef NBODY_TWICE
