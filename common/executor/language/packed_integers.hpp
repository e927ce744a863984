/// \file
/// CUDA's functions of integers packed in a word: two of 16 bits or four of 8 (the video
/// functions), and dot products.
/// Source: CUDA Math API, "SIMD Intrinsics"; PTX ISA, vavrg2 (the rounding of signed averages).
#pragma once

#include <cstdint>
#include <limits>

#include "executor/language/always_inline.hpp"

namespace nbody::executor {

/// The word whose items are \p change of the items of \p a and \p b, cut to Item.
template <class Item, class Change>
NBODY_ALWAYS_INLINE unsigned changeItems(unsigned a, unsigned b, Change change) {
  constexpr int kBits = 8 * sizeof(Item);
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const int item = change(int{static_cast<Item>(a >> shift)}, int{static_cast<Item>(b >> shift)});
    result |= (static_cast<unsigned>(item) & ((1u << kBits) - 1)) << shift;
  }
  return result;
}

/// The sum of \p change of the items of \p a and \p b.
template <class Item, class Change>
NBODY_ALWAYS_INLINE unsigned sumItems(unsigned a, unsigned b, Change change) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += 8 * sizeof(Item))
    sum += static_cast<unsigned>(
        change(int{static_cast<Item>(a >> shift)}, int{static_cast<Item>(b >> shift)}));
  return sum;
}

template <class Item>
NBODY_ALWAYS_INLINE int saturated(int x) {
  constexpr int low = std::numeric_limits<Item>::min(), high = std::numeric_limits<Item>::max();
  return x < low ? low : x > high ? high : x;
}

}  // namespace nbody::executor

#define NBODY_ONE(name, Item, expression)                                                \
  NBODY_ALWAYS_INLINE unsigned name(unsigned x) {                                        \
    using T = Item;                                                                      \
    return nbody::executor::changeItems<T>(x, 0, [](int a, int) { return expression; }); \
  }
#define NBODY_TWO(name, Item, expression)                                                  \
  NBODY_ALWAYS_INLINE unsigned name(unsigned x, unsigned y) {                              \
    using T = Item;                                                                        \
    return nbody::executor::changeItems<T>(x, y, [](int a, int b) { return expression; }); \
  }
#define NBODY_SUM(name, Item, expression)                                                  \
  NBODY_ALWAYS_INLINE unsigned name(unsigned x, unsigned y) {                              \
    return nbody::executor::sumItems<Item>(x, y, [](int a, int b) { return expression; }); \
  }
// set: 1 where the comparison holds; cmp: all bits of the item.
#define NBODY_COMPARE(name, count, Item, operation)           \
  NBODY_TWO(__vset##name##count, Item, a operation b ? 1 : 0) \
  NBODY_TWO(__vcmp##name##count, Item, a operation b ? -1 : 0)
#define NBODY_PACKED(count, Signed, Unsigned)                                       \
  NBODY_ONE(__vabs##count, Signed, a < 0 ? -a : a)                                  \
  NBODY_ONE(__vabsss##count, Signed, nbody::executor::saturated<T>(a < 0 ? -a : a)) \
  NBODY_ONE(__vneg##count, Signed, -a)                                              \
  NBODY_ONE(__vnegss##count, Signed, nbody::executor::saturated<T>(-a))             \
  NBODY_TWO(__vadd##count, Unsigned, a + b)                                         \
  NBODY_TWO(__vaddss##count, Signed, nbody::executor::saturated<T>(a + b))          \
  NBODY_TWO(__vaddus##count, Unsigned, nbody::executor::saturated<T>(a + b))        \
  NBODY_TWO(__vsub##count, Unsigned, a - b)                                         \
  NBODY_TWO(__vsubss##count, Signed, nbody::executor::saturated<T>(a - b))          \
  NBODY_TWO(__vsubus##count, Unsigned, nbody::executor::saturated<T>(a - b))        \
  NBODY_TWO(__vabsdiffs##count, Signed, a < b ? b - a : a - b)                      \
  NBODY_TWO(__vabsdiffu##count, Unsigned, a < b ? b - a : a - b)                    \
  NBODY_TWO(__vavgs##count, Signed, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)            \
  NBODY_TWO(__vavgu##count, Unsigned, (a + b + 1) >> 1)                             \
  NBODY_TWO(__vhaddu##count, Unsigned, (a + b) >> 1)                                \
  NBODY_TWO(__vmaxs##count, Signed, a < b ? b : a)                                  \
  NBODY_TWO(__vmaxu##count, Unsigned, a < b ? b : a)                                \
  NBODY_TWO(__vmins##count, Signed, b < a ? b : a)                                  \
  NBODY_TWO(__vminu##count, Unsigned, b < a ? b : a)                                \
  NBODY_SUM(__vsads##count, Signed, a < b ? b - a : a - b)                          \
  NBODY_SUM(__vsadu##count, Unsigned, a < b ? b - a : a - b)                        \
  NBODY_COMPARE(eq, count, Unsigned, ==)                                            \
  NBODY_COMPARE(ne, count, Unsigned, !=)                                            \
  NBODY_COMPARE(ges, count, Signed, >=)                                             \
  NBODY_COMPARE(geu, count, Unsigned, >=)                                           \
  NBODY_COMPARE(gts, count, Signed, >)                                              \
  NBODY_COMPARE(gtu, count, Unsigned, >)                                            \
  NBODY_COMPARE(les, count, Signed, <=)                                             \
  NBODY_COMPARE(leu, count, Unsigned, <=)                                           \
  NBODY_COMPARE(lts, count, Signed, <)                                              \
  NBODY_COMPARE(ltu, count, Unsigned, <)
NBODY_PACKED(2, std::int16_t, std::uint16_t)
NBODY_PACKED(4, std::int8_t, std::uint8_t)
#undef NBODY_PACKED
#undef NBODY_COMPARE
#undef NBODY_SUM
#undef NBODY_TWO
#undef NBODY_ONE

/// c + the products of the four bytes of \p a and \p b.
#define NBODY_DOT4(T, Item)                                                                     \
  NBODY_ALWAYS_INLINE T __dp4a(T a, T b, T c) {                                                 \
    return static_cast<T>(static_cast<unsigned>(c) +                                            \
                          nbody::executor::sumItems<Item>(static_cast<unsigned>(a),             \
                                                          static_cast<unsigned>(b),             \
                                                          [](int x, int y) { return x * y; })); \
  }
NBODY_DOT4(int, std::int8_t)
NBODY_DOT4(unsigned, std::uint8_t)
#undef NBODY_DOT4

/// c + the products of the two halves of \p a and two bytes of \p b, its low or its high ones.
#define NBODY_DOT2(name, T, Half, Byte, firstByte)                                          \
  NBODY_ALWAYS_INLINE T name(T a, T b, T c) {                                               \
    unsigned sum = static_cast<unsigned>(c);                                                \
    for (int i = 0; i < 2; ++i)                                                             \
      sum += static_cast<unsigned>(static_cast<Half>(static_cast<unsigned>(a) >> 16 * i)) * \
             static_cast<unsigned>(                                                         \
                 static_cast<Byte>(static_cast<unsigned>(b) >> 8 * (firstByte + i)));       \
    return static_cast<T>(sum);                                                             \
  }
NBODY_DOT2(__dp2a_lo, int, std::int16_t, std::int8_t, 0)
NBODY_DOT2(__dp2a_hi, int, std::int16_t, std::int8_t, 2)
NBODY_DOT2(__dp2a_lo, unsigned, std::uint16_t, std::uint8_t, 0)
NBODY_DOT2(__dp2a_hi, unsigned, std::uint16_t, std::uint8_t, 2)
#undef NBODY_DOT2
