// Arithmetic and mathematics of one 16-bit type. Included after small_float_type.inl,
// with the same macros.
#define NBODY_INLINE NBODY_ALWAYS_INLINE

// --- Arithmetic, rounded to nearest even. _sat clamps to [0, 1], NaN to 0; _relu clamps below 0.

NBODY_INLINE NBODY_SMALL __hadd(NBODY_SMALL a, NBODY_SMALL b) {
  return NBODY_SMALL::rounded(double{float(a)} + double{float(b)});
}
NBODY_INLINE NBODY_SMALL __hsub(NBODY_SMALL a, NBODY_SMALL b) {
  return NBODY_SMALL::rounded(double{float(a)} - double{float(b)});
}
NBODY_INLINE NBODY_SMALL __hmul(NBODY_SMALL a, NBODY_SMALL b) {
  return NBODY_SMALL::rounded(double{float(a)} * double{float(b)});
}
NBODY_INLINE NBODY_SMALL __hdiv(NBODY_SMALL a, NBODY_SMALL b) {
  return NBODY_SMALL::rounded(double{float(a)} / double{float(b)});
}
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

NBODY_INLINE NBODY_SMALL __hmax(NBODY_SMALL a, NBODY_SMALL b) {
  return nbody::executor::chosenSmall(a, b, true, false);
}
NBODY_INLINE NBODY_SMALL __hmin(NBODY_SMALL a, NBODY_SMALL b) {
  return nbody::executor::chosenSmall(a, b, false, false);
}
NBODY_INLINE NBODY_SMALL __hmax_nan(NBODY_SMALL a, NBODY_SMALL b) {
  return nbody::executor::chosenSmall(a, b, true, true);
}
NBODY_INLINE NBODY_SMALL __hmin_nan(NBODY_SMALL a, NBODY_SMALL b) {
  return nbody::executor::chosenSmall(a, b, false, true);
}
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
#undef NBODY_INLINE
