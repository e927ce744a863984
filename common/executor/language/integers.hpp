/// \file
/// CUDA's functions for integers: bits, bytes, 24-bit and high products, averages, dot products.
#pragma once

#include <cstdint>

#include "executor/language/always_inline.hpp"

NBODY_ALWAYS_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
NBODY_ALWAYS_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
NBODY_ALWAYS_INLINE int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
NBODY_ALWAYS_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
/// Returns the position of the lowest set bit, from 1; 0 if no bit is set.
NBODY_ALWAYS_INLINE int __ffs(int x) { return __builtin_ffs(x); }
NBODY_ALWAYS_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
/// Returns the position of the \p n-th set bit from \p base on, upwards, or downwards if \p n is
/// negative; -1 if there is none. n = 0 tests the bit at \p base.
inline int __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? static_cast<int>(base) : -1;
  const int step = n > 0 ? 1 : -1;
  int left = n * step;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1) != 0 && --left == 0) return bit;
  return -1;
}

/// Returns the bits of \p x in reverse order.
inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
namespace nbody::executor {

/// Does PTX's prmt.b32: returns four of the eight bytes of \p b and \p a. Each hexadecimal digit of
/// \p selector names one; bit 3 of the digit spreads the sign bit over the byte.
inline unsigned permuteBytes(unsigned a, unsigned b, unsigned selector) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned digit = selector >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (digit & 7)) & 0xff;
    if ((digit & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

// Dot products of the bytes of two words, and of two 16-bit numbers with the lower or upper bytes.
template <class A, class B>
NBODY_ALWAYS_INLINE unsigned dotOfBytes(unsigned a, unsigned b, unsigned c) {
  for (int shift = 0; shift < 32; shift += 8)
    c += static_cast<unsigned>(static_cast<A>(a >> shift) * static_cast<B>(b >> shift));
  return c;
}
template <class A, class B>
NBODY_ALWAYS_INLINE unsigned dotOfHalves(unsigned a, unsigned b, unsigned c) {
  for (int k = 0; k < 2; ++k)
    c += static_cast<unsigned>(static_cast<A>(a >> 16 * k) * static_cast<B>(b >> 8 * k));
  return c;
}

}  // namespace nbody::executor

/// Does the same as prmt.b32, but ignores bit 3 of each digit.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return ::nbody::executor::permuteBytes(a, b, selector & 0x7777);
}

/// Returns the upper 32 bits of high:low shifted left. _lc and _rc shift by at most 32, the others
/// by \p shift modulo 32.
NBODY_ALWAYS_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >>
                               32);
}
NBODY_ALWAYS_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
/// Returns the lower 32 bits of high:low shifted right.
NBODY_ALWAYS_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
NBODY_ALWAYS_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Products of the low 24 bits, and upper halves of products.
NBODY_ALWAYS_INLINE int __mul24(int a, int b) {
  const auto low = [](int x) { return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned>(low(a)) * static_cast<unsigned>(low(b)));
}
NBODY_ALWAYS_INLINE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
#define NBODY_HIGH_PRODUCT(name, T, Wide)                             \
  NBODY_ALWAYS_INLINE T name(T a, T b) {                              \
    return static_cast<T>(static_cast<Wide>(a) * b >> 8 * sizeof(T)); \
  }
NBODY_HIGH_PRODUCT(__mulhi, int, long long)
NBODY_HIGH_PRODUCT(__umulhi, unsigned, unsigned long long)
NBODY_HIGH_PRODUCT(__mul64hi, long long, __int128)
NBODY_HIGH_PRODUCT(__umul64hi, unsigned long long, unsigned __int128)
// CUDA's older names.
NBODY_HIGH_PRODUCT(mulhi, int, long long)
NBODY_HIGH_PRODUCT(umulhi, unsigned, unsigned long long)
NBODY_HIGH_PRODUCT(mul64hi, long long, __int128)
NBODY_HIGH_PRODUCT(umul64hi, unsigned long long, unsigned __int128)
#undef NBODY_HIGH_PRODUCT
NBODY_ALWAYS_INLINE int mul24(int a, int b) { return __mul24(a, b); }
NBODY_ALWAYS_INLINE unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }

/// Returns |a - b| + c.
NBODY_ALWAYS_INLINE unsigned __sad(int a, int b, unsigned c) {
  return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                    : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
NBODY_ALWAYS_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a < b ? b - a : a - b);
}
/// Returns the sum of |a - b| over the four bytes of two words.
NBODY_ALWAYS_INLINE unsigned __vsadu4(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += 8)
    sum = __usad(a >> shift & 0xff, b >> shift & 0xff, sum);
  return sum;
}
// Averages without overflow, rounded down; names with an r round up.
#define NBODY_AVERAGE(name, T, Wide, carry)                         \
  NBODY_ALWAYS_INLINE T name(T a, T b) {                            \
    return static_cast<T>((static_cast<Wide>(a) + b + carry) >> 1); \
  }
NBODY_AVERAGE(__hadd, int, long long, 0)
NBODY_AVERAGE(__rhadd, int, long long, 1)
NBODY_AVERAGE(__uhadd, unsigned, unsigned long long, 0)
NBODY_AVERAGE(__urhadd, unsigned, unsigned long long, 1)
#undef NBODY_AVERAGE

NBODY_ALWAYS_INLINE int __dp4a(int a, int b, int c) {
  return static_cast<int>(nbody::executor::dotOfBytes<signed char, signed char>(a, b, c));
}
NBODY_ALWAYS_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return nbody::executor::dotOfBytes<unsigned char, unsigned char>(a, b, c);
}
NBODY_ALWAYS_INLINE int __dp2a_lo(int a, int b, int c) {
  return static_cast<int>(nbody::executor::dotOfHalves<short, signed char>(a, b, c));
}
NBODY_ALWAYS_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return nbody::executor::dotOfHalves<unsigned short, unsigned char>(a, b, c);
}
NBODY_ALWAYS_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
NBODY_ALWAYS_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __dp2a_lo(a, b >> 16, c);
}

// Functions of four bytes or two 16-bit numbers that are packed in a word, as in CUDA's list of SIMD
// intrinsics: __vadd4() and __vadd2(), and the same for each row of the table below. x and y: numbers with
// a sign (s) or without (u), as int.
#define NBODY_PACKED_AS(name, count, T, expression)                             \
  NBODY_ALWAYS_INLINE unsigned name##count(unsigned a, unsigned b) {            \
    unsigned result = 0;                                                        \
    constexpr int kBits = 32 / count;                                           \
    for (int shift = 0; shift < 32; shift += kBits) {                           \
      [[maybe_unused]] const int x = static_cast<T>(a >> shift);                \
      [[maybe_unused]] const int y = static_cast<T>(b >> shift);                \
      result |= (static_cast<unsigned>(expression) & ~(~0u << kBits)) << shift; \
    }                                                                           \
    return result;                                                              \
  }
#define NBODY_PACKED_S(name, expression)            \
  NBODY_PACKED_AS(name, 4, signed char, expression) \
  NBODY_PACKED_AS(name, 2, short, expression)
#define NBODY_PACKED_U(name, expression)              \
  NBODY_PACKED_AS(name, 4, unsigned char, expression) \
  NBODY_PACKED_AS(name, 2, unsigned short, expression)
// Names that end with the sign: __vmaxs4() and __vmaxu4().
#define NBODY_PACKED_BOTH(name, expression) \
  NBODY_PACKED_S(name##s, expression)       \
  NBODY_PACKED_U(name##u, expression)
#define NBODY_PACKED_COMPARED(name, sign, operation)                  \
  NBODY_PACKED_##sign(__vcmp##name, -static_cast<int>(x operation y)) \
      NBODY_PACKED_##sign(__vset##name, x operation y)
NBODY_PACKED_U(__vadd, x + y)
NBODY_PACKED_U(__vsub, x - y)
NBODY_PACKED_S(__vabsdiffs, x < y ? y - x : x - y)
NBODY_PACKED_U(__vabsdiffu, x < y ? y - x : x - y)
NBODY_PACKED_BOTH(__vmin, x < y ? x : y)
NBODY_PACKED_BOTH(__vmax, x < y ? y : x)
NBODY_PACKED_U(__vavgu, (x + y + 1) >> 1)
NBODY_PACKED_S(__vavgs, (x + y + (x + y >= 0)) >> 1)
NBODY_PACKED_U(__vhaddu, (x + y) >> 1)
NBODY_PACKED_U(__vaddus, (x + y) >> kBits != 0 ? -1 : x + y)
NBODY_PACKED_U(__vsubus, x < y ? 0 : x - y)
#define NBODY_CLAMPED(sum)                                \
  ((sum) >= 1 << (kBits - 1)     ? (1 << (kBits - 1)) - 1 \
   : (sum) < -(1 << (kBits - 1)) ? 1 << (kBits - 1)       \
                                 : (sum))
NBODY_PACKED_S(__vaddss, NBODY_CLAMPED(x + y))
NBODY_PACKED_S(__vsubss, NBODY_CLAMPED(x - y))
#undef NBODY_CLAMPED
NBODY_PACKED_COMPARED(eq, U, ==)
NBODY_PACKED_COMPARED(ne, U, !=)
NBODY_PACKED_COMPARED(ltu, U, <)
NBODY_PACKED_COMPARED(leu, U, <=)
NBODY_PACKED_COMPARED(gtu, U, >)
NBODY_PACKED_COMPARED(geu, U, >=)
NBODY_PACKED_COMPARED(lts, S, <)
NBODY_PACKED_COMPARED(les, S, <=)
NBODY_PACKED_COMPARED(gts, S, >)
NBODY_PACKED_COMPARED(ges, S, >=)
#undef NBODY_PACKED_COMPARED
#undef NBODY_PACKED_BOTH
#undef NBODY_PACKED_U
#undef NBODY_PACKED_S
#undef NBODY_PACKED_AS
#define NBODY_PACKED_1(count)                                                            \
  NBODY_ALWAYS_INLINE unsigned __vneg##count(unsigned a) { return __vsub##count(0, a); } \
  NBODY_ALWAYS_INLINE unsigned __vabs##count(unsigned a) {                               \
    return __vmaxs##count(a, __vneg##count(a));                                          \
  }
NBODY_PACKED_1(4)
NBODY_PACKED_1(2)
#undef NBODY_PACKED_1

NBODY_ALWAYS_INLINE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
NBODY_ALWAYS_INLINE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
NBODY_ALWAYS_INLINE unsigned long long __nv_bswap64(unsigned long long x) {
  return __builtin_bswap64(x);
}
