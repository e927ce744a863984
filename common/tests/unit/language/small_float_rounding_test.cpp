// __half and __nv_bfloat16 on the executor, against values and roundings to the nearest computed
// from the formats' definitions alone.
#include "executor/language/small_floats.hpp"

#include <random>

using namespace nbody;

namespace {

/// A format as its definition has it: every finite number without a sign is fraction * 2^exponent.
template <int FractionBits, int LeastExponent>
struct Format {
  static constexpr int kInfinity = (1 << 15) - (1 << FractionBits);

  static double value(int bits) {
    const int fraction = bits % (1 << FractionBits), exponent = bits >> FractionBits;
    const int whole = exponent == 0 ? fraction : fraction + (1 << FractionBits);
    return std::ldexp(whole, LeastExponent - FractionBits + std::max(exponent - 1, 0));
  }
  /// All of them, from 0 to what infinity's bits would be.
  static const std::vector<double>& values() {
    static const std::vector<double> all = [] {
      std::vector<double> list;
      for (int bits = 0; bits <= kInfinity; ++bits) list.push_back(value(bits));
      return list;
    }();
    return all;
  }

  /// The bits of the number nearest to \p x, even of two, for |x| exact in double.
  static int nearest(double x) {
    if (std::isnan(x)) return 0x7fff;
    const int sign = std::signbit(x) ? 0x8000 : 0;
    const auto above = std::lower_bound(values().begin(), values().end(), std::fabs(x));
    if (above == values().end()) return sign | kInfinity;
    int bits = static_cast<int>(above - values().begin());
    if (*above != std::fabs(x)) {
      const double up = *above - std::fabs(x), down = std::fabs(x) - above[-1];
      if (down < up || (down == up && bits % 2 == 1)) --bits;
    }
    return sign | bits;
  }
};
using HalfRules = Format<10, -14>;
using BFloatRules = Format<7, -126>;

template <class T>
double valueOf(T x) {
  return static_cast<double>(static_cast<float>(x));
}

template <class T>
T ofBits(unsigned bits) {
  return T::ofBits(static_cast<std::uint16_t>(bits));
}

/// Pairs of bits: random, near in size, opposite.
template <class Check>
void forPairs(int count, int fractionBits, const Check& check) {
  std::mt19937 random(1);
  for (int i = 0; i < count; ++i) {
    const unsigned a = random() & 0xffff, far = random() & 0xffff;
    const unsigned steps = random() & ((4u << fractionBits) - 1);
    check(a, i % 2 == 0 ? far : ((a ^ (far & 0x8000)) - steps) & 0xffff);
  }
}

template <class T, class Rules>
void checkArithmetic(int fractionBits) {
  int wrong = 0;
  forPairs(300000, fractionBits, [&](unsigned x, unsigned y) {
    const T a = ofBits<T>(x), b = ofBits<T>(y);
    const double u = valueOf(a), v = valueOf(b);
    // Sums and products of either format are exact in double, or too far apart to matter.
    wrong += __hadd(a, b).bits() != Rules::nearest(u + v);
    wrong += __hsub(a, b).bits() != Rules::nearest(u - v);
    wrong += (a * b).bits() != Rules::nearest(u * v);
    // A quotient's place between two neighbours' middle and it is decided by products.
    const unsigned q = __hdiv(a, b).bits();
    if (std::isfinite(u / v) && v != 0 && (q & 0x7fff) < Rules::kInfinity && (q & 0x7fff) > 0) {
      const auto& all = Rules::values();
      const int n = static_cast<int>(q & 0x7fff);
      const double below = (all[n - 1] + all[n]) / 2 * std::fabs(v);
      const double above = (all[n] + all[n + 1]) / 2 * std::fabs(v);
      wrong += std::fabs(u) < below || std::fabs(u) > above ||
               (n % 2 == 1 && (std::fabs(u) == below || std::fabs(u) == above));
    }
  });
  CHECK(wrong == 0);
}

/// a b + c in whole multiples of 2^-2k, k the exponent of the least number: exact.
void checkFusedHalf() {
  int wrong = 0;
  std::mt19937 random(2);
  for (int i = 0; i < 300000; ++i) {
    const __half a = ofBits<__half>(random() & 0xfbff), b = ofBits<__half>(random() & 0xfbff);
    // c often near -a b, or so small that it only decides a tie.
    __half c = ofBits<__half>(random() & 0xfbff);
    if (i % 3 == 0 && __hisinf(a * b) == 0) c = __hneg(a * b);
    if (i % 3 == 1) c = ofBits<__half>(random() & 0x800f);
    const auto whole = [](double x) { return static_cast<__int128>(std::ldexp(x, 24)); };
    __int128 exact = whole(valueOf(a)) * whole(valueOf(b)) + (whole(valueOf(c)) << 24);
    const int sign = exact < 0 ? 0x8000 : 0;
    if (exact < 0) exact = -exact;
    if (exact == 0) continue;  // its sign is double's affair, tested with sums
    int n = 0x7c00;  // bits of the largest number not above, by halving
    for (int step = 0x4000, low = 0; step > 0; step /= 2) {
      if (low + step <= 0x7c00 && whole(HalfRules::value(low + step)) << 24 <= exact) low += step;
      n = low;
    }
    const __int128 down = exact - (whole(HalfRules::value(n)) << 24);
    const __int128 up = n == 0x7c00 ? 1 : (whole(HalfRules::value(n + 1)) << 24) - exact;
    if (n < 0x7c00 && (up < down || (up == down && n % 2 == 1))) ++n;
    wrong += __hfma(a, b, c).bits() != (sign | n);
  }
  CHECK(wrong == 0);
}

template <class T, class Rules, class To, class From>
void checkAllValues(To toFloat, From ofFloat) {
  int wrong = 0;
  for (int bits = 0; bits < 0x10000; ++bits) {
    const T x = ofBits<T>(bits);
    const int size = bits & 0x7fff;
    const float f = toFloat(x);
    if (size > Rules::kInfinity) {
      wrong += !std::isnan(f) || !__hisnan(x) || x == x || (ofFloat(f).bits() != 0x7fff);
    } else {
      const double value = size == Rules::kInfinity ? INFINITY : Rules::value(size);
      wrong += f != (bits >= 0x8000 ? -value : value) || std::signbit(f) != (bits >= 0x8000);
      wrong += ofFloat(f).bits() != bits || __hneg(x).bits() != (bits ^ 0x8000);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every half and bfloat16 converts to its value and back") {
  checkAllValues<__half, HalfRules>([](__half x) { return __half2float(x); },
                                    [](float x) { return __float2half(x); });
  checkAllValues<__nv_bfloat16, BFloatRules>([](__nv_bfloat16 x) { return __bfloat162float(x); },
                                             [](float x) { return __float2bfloat16(x); });
}

TEST_CASE("floats and doubles round to the nearest half and bfloat16, even of two") {
  std::mt19937_64 random(3);
  int wrong = 0;
  for (int i = 0; i < 300000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float f;
    std::memcpy(&f, &bits, sizeof f);
    wrong += __float2bfloat16(f).bits() != BFloatRules::nearest(f);
    // Of half's range, ties often; double with one bit more than a tie.
    const int n = static_cast<int>(random() % 0x7c00);
    const double middle = (HalfRules::value(n) + HalfRules::value(n + 1)) / 2;
    for (double x : {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e9)}) {
      wrong += __double2half(x).bits() != HalfRules::nearest(x);
      wrong +=
          __float2half(static_cast<float>(-x)).bits() != HalfRules::nearest(static_cast<float>(-x));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("sums, products and quotients are rounded once") {
  checkArithmetic<__half, HalfRules>(10);
  checkArithmetic<__nv_bfloat16, BFloatRules>(7);
}

TEST_CASE("a fused product and sum is rounded once") {
  checkFusedHalf();
  // 1 + 2^-8 + 2^-40: by way of float it would be a tie, and go down to 1.
  const __nv_bfloat16 a = 0x1p-20f, b = 0x1p-20f, c = 1.0f;
  CHECK(float(__hfma(a, b, c)) == 1);
  const __nv_bfloat16 d = 1 + 0x1p-7f, e = 1 + 0x1p-7f;  // 1 + 2^-6 + 2^-14
  CHECK(float(__hfma(d, e, __nv_bfloat16(-0x1p-8f))) == 1 + 0x1p-7f + 0x1p-7f);
  CHECK(float(__hfma(d, e, __nv_bfloat16(0x1p-8f))) == 1 + 0x1p-6f + 0x1p-7f);
}
