/// \file
/// Floating-point numbers of 16 bits: rounding from double, exact conversion to float, and the
/// class for __half and __nv_bfloat16.
///
/// Sums, products, quotients and roots are computed in double and rounded once more. Double has 53
/// bits, the formats 11 and 8, so this equals one rounding (2 p + 2 bits are enough).
#pragma once

#include <math.h>

#include <cstdint>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/conversions.hpp"

namespace nbody::executor {

/// Direction in which a number between two others is rounded.
enum class Rounding { nearestEven, towardsZero, up, down };

/// Differences of the two formats: bits of the fraction, exponent of the smallest normal number.
struct HalfFormat {
  static constexpr int fractionBits = 10, leastExponent = -14;
  static constexpr std::uint16_t infinity = 0x7c00;
};
struct BFloat16Format {
  static constexpr int fractionBits = 7, leastExponent = -126;
  static constexpr std::uint16_t infinity = 0x7f80;
};
constexpr std::uint16_t kSmallNan = 0x7fff;  ///< the only NaN that arithmetic returns, as on a GPU
constexpr std::uint16_t kSmallSign = 0x8000;

/// Returns the 16 bits of \p x, rounded.
template <class Format>
inline std::uint16_t roundToSmall(double x, Rounding rounding = Rounding::nearestEven) {
  const auto bits = bitCast<std::uint64_t>(x);
  const bool negative = bits >> 63 != 0;
  const std::uint64_t magnitude = bits << 1 >> 1, infinity = std::uint64_t{0x7ff} << 52;
  const std::uint16_t sign = negative ? kSmallSign : 0;
  if (magnitude > infinity) return kSmallNan;
  if (magnitude == infinity) return sign | Format::infinity;
  if (magnitude == 0) return sign;

  // A subnormal double is far below half of the smallest number here, so any will do.
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const std::uint64_t one = std::uint64_t{1} << 52, significand = (magnitude & (one - 1)) | one;
  const int below = exponent < Format::leastExponent ? Format::leastExponent - exponent : 0;
  const int shift = 52 - Format::fractionBits + below;
  std::uint64_t kept = shift < 63 ? significand >> shift : 0;
  const std::uint64_t rest = shift < 63 ? significand - (kept << shift) : 1;
  const std::uint64_t middle = std::uint64_t{1} << (shift < 63 ? shift - 1 : 62);
  if (rounding == Rounding::nearestEven) kept += rest > middle || (rest == middle && (kept & 1));
  else if (rounding != Rounding::towardsZero)
    kept += rest != 0 && negative == (rounding == Rounding::down);

  // A carry increases the exponent, as it should.
  std::uint64_t result = kept;
  if (below == 0)
    result += static_cast<std::uint64_t>(exponent - Format::leastExponent) << Format::fractionBits;
  if (result >= Format::infinity) {
    const bool stays = rounding == Rounding::towardsZero ||
                       (rounding == Rounding::up && negative) ||
                       (rounding == Rounding::down && !negative);
    result = Format::infinity - (stays ? 1 : 0);
  }
  return sign | static_cast<std::uint16_t>(result);
}

/// Returns \p x, rounded to odd if double is too short, so that a second rounding is correct.
template <class Integer>
NBODY_ALWAYS_INLINE double doubleOf(Integer x) {
  if constexpr (sizeof(Integer) < 8) {
    return x;
  } else {
    const bool negative = x < 0;
    std::uint64_t size =
        negative ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    if (size >> 53 != 0) size = (size >> 11 | ((size & 2047) != 0)) << 11;
    return negative ? -static_cast<double>(size) : static_cast<double>(size);
  }
}

/// Returns a b + c, rounded to odd. a b must be exact.
inline double fusedToOdd(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);  // error of the sum; exact
  if (!(error != 0) || !std::isfinite(sum) || error != error) return sum;
  auto bits = bitCast<std::uint64_t>(sum);
  if ((error > 0) != (sum > 0)) --bits;
  return bitCast<double>(bits | 1);
}

NBODY_ALWAYS_INLINE float floatOfSmall(std::uint16_t bits, BFloat16Format) {
  return bitCast<float>(std::uint32_t{bits} << 16);
}
inline float floatOfSmall(std::uint16_t bits, HalfFormat) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & kSmallSign) << 16;
  const std::uint32_t magnitude = bits & 0x7fffu;
  if (magnitude > HalfFormat::infinity) return bitCast<float>(0x7fffffffu);
  if (magnitude == HalfFormat::infinity) return bitCast<float>(sign | 0x7f800000u);
  if (magnitude >> 10 != 0) return bitCast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float size = static_cast<float>(magnitude) * 0x1p-24f;
  return sign != 0 ? -size : size;
}

/// A number of 16 bits. Converts from and to every arithmetic type, like CUDA's.
template <class Format>
class SmallFloat {
 public:
  SmallFloat() = default;
  template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
  SmallFloat(T x) : bits_(roundToSmall<Format>(x)) {}
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  SmallFloat(T x) : bits_(roundToSmall<Format>(doubleOf(x))) {}

  operator float() const { return floatOfSmall(bits_, Format{}); }
#define NBODY_TO(T) \
  operator T() const { return toInteger<T>(truncf(float(*this))); }
  NBODY_TO(char)
  NBODY_TO(signed char)
  NBODY_TO(unsigned char)
  NBODY_TO(short)
  NBODY_TO(unsigned short)
  NBODY_TO(int)
  NBODY_TO(unsigned)
  NBODY_TO(long)
  NBODY_TO(unsigned long)
  NBODY_TO(long long)
  NBODY_TO(unsigned long long)
#undef NBODY_TO
  operator bool() const { return (bits_ & 0x7fff) != 0; }

  std::uint16_t bits() const { return bits_; }

 protected:
  void setBits(std::uint16_t bits) { bits_ = bits; }

 private:
  std::uint16_t bits_;
};

}  // namespace nbody::executor
