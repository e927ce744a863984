// Comparisons of one 16-bit type: false where one is a NaN; with a u, true. Of pairs: 1 or 0 each, a
// mask, or whether both hold (__hb). Included after small_float_type.inl, with the same macros.

#define NBODY_COMPARISON(op, holds)                                                          \
  NBODY_ALWAYS_INLINE bool __h##op(NBODY_SMALL a, NBODY_SMALL b) {                           \
    const float x = a, y = b;                                                                \
    return holds;                                                                            \
  }                                                                                          \
  NBODY_ALWAYS_INLINE NBODY_SMALL2 __h##op##2(NBODY_SMALL2 a, NBODY_SMALL2 b) {              \
    return {NBODY_SMALL(__h##op(a.x, b.x) ? 1 : 0), NBODY_SMALL(__h##op(a.y, b.y) ? 1 : 0)}; \
  }                                                                                          \
  NBODY_ALWAYS_INLINE unsigned __h##op##2_mask(NBODY_SMALL2 a, NBODY_SMALL2 b) {             \
    return (__h##op(a.x, b.x) ? 0xffffu : 0) | (__h##op(a.y, b.y) ? 0xffff0000u : 0);        \
  }                                                                                          \
  NBODY_ALWAYS_INLINE bool __hb##op##2(NBODY_SMALL2 a, NBODY_SMALL2 b) {                     \
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
#define NBODY_OPERATOR(operation, op)                                                         \
  NBODY_ALWAYS_INLINE bool operator operation(const NBODY_SMALL& a, const NBODY_SMALL& b) {   \
    return __h##op(a, b);                                                                     \
  }                                                                                           \
  NBODY_ALWAYS_INLINE bool operator operation(const NBODY_SMALL2& a, const NBODY_SMALL2& b) { \
    return __hb##op##2(a, b);                                                                 \
  }
NBODY_OPERATOR(==, eq)
NBODY_OPERATOR(!=, neu)
NBODY_OPERATOR(<, lt)
NBODY_OPERATOR(>, gt)
NBODY_OPERATOR(<=, le)
NBODY_OPERATOR(>=, ge)
#undef NBODY_OPERATOR
