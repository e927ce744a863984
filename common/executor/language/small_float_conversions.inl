// Conversions of one 16-bit type, and how its pairs are put together. Included after
// small_float_functions.inl, with NBODY_NAMED(before, after) the type's name between the two.
#define NBODY_INLINE NBODY_ALWAYS_INLINE

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
