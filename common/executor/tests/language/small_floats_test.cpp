// __half and __nv_bfloat16 on the executor: values and roundings against the formats' definitions, and
// functions. Arithmetic on random numbers is in programs/kernel_language.cu, as a GPU has it.
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
T ofBits(unsigned bits) {
  return T::ofBits(static_cast<std::uint16_t>(bits));
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
    // Numbers in half's range: ties often, and doubles with one bit more than a tie.
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

TEST_CASE("conversions to integers round, stop at the ends, and make 0 of NaN") {
  const __half nan = NAN, big = 65504.0f;
  CHECK(__half2int_rn(__half(2.5f)) == 2);
  CHECK(__half2int_ru(__half(2.5f)) == 3);
  CHECK(__half2short_rz(big) == 32767);
  CHECK(__half2uchar_rz(__half(-3)) == 0);
  CHECK(__half2int_rd(nan) == 0);
  CHECK(int(__half(-2.75f)) == -2);
  CHECK(bool(__half(0x1p-24f)));
  CHECK(!bool(__half(-0.0f)));
}

TEST_CASE("directed conversions lie on the named side") {
  CHECK(float(__float2half_rz(1e6f)) == 65504);
  CHECK(float(__float2half_ru(1e6f)) == INFINITY);
  CHECK(float(__float2half_rd(-1e-9f)) == -0x1p-24f);
  CHECK(float(__float2half_rd(1 + 0x1p-12f)) == 1);
  CHECK(float(__ull2bfloat16_ru(0xff00000000000001)) == 0x1p64f);
  CHECK(float(__ull2bfloat16_rn(0xff00000000000001)) == 0xffp56f);
  CHECK(float(__ll2bfloat16_rd(-0x4000000000000001)) == -0x81p55f);
}

TEST_CASE("comparisons with a NaN are false, or true with a u") {
  const __half nan = NAN, one = 1;
  CHECK_FALSE(__hlt(nan, one));
  CHECK_FALSE(__hne(nan, one));
  CHECK(__hltu(nan, one));
  CHECK(nan != one);
  CHECK(one > __half(0.5f));
  CHECK(__heq2_mask({one, nan}, {one, nan}) == 0xffffu);
  CHECK(__low2float(__hge2({one, nan}, {one, nan})) == 1);
  CHECK_FALSE(__hbeq2({one, nan}, {one, nan}));
  CHECK(__hbequ2({one, nan}, {one, nan}));
}

TEST_CASE("greatest and least take the number before the NaN, and -0 before 0") {
  const __half nan = NAN, one = 1, zero = 0.0f, negative = -0.0f;
  CHECK(__hmax(nan, one) == one);
  CHECK(__hmin(one, nan) == one);
  CHECK(__hisnan(__hmax_nan(nan, one)));
  CHECK(__hmax(negative, zero).bits() == 0);
  CHECK(__hmin(zero, negative).bits() == 0x8000);
  CHECK(float(__hadd_sat(one, one)) == 1);
  CHECK(float(__hmul_sat(nan, one)) == 0);
  CHECK(__hfma_relu(one, __half(-2), one).bits() == 0);
  CHECK(__hisinf(__half(-INFINITY)) == -1);
}

TEST_CASE("pairs") {
  const half2 a = __floats2half2_rn(1, 2), b = make_half2(__half(3), __half(5));
  const half2 sum = __hfma2(a, b, __half2half2(__half(10)));
  CHECK(__low2float(sum) == 13);
  CHECK(__high2float(sum) == 20);
  CHECK(__low2float(__lowhigh2highlow(a)) == 2);
  CHECK(__high2float(__lows2half2(a, b)) == 3);
  CHECK(__half22float2(a / b).y == Approx(0.4f).epsilon(1e-3));
  const half2 product = __hcmadd(a, b, a);  // (1 + 2i)(3 + 5i) + (1 + 2i)
  CHECK(__low2float(product) == -6);
  CHECK(__high2float(product) == 13);
  const nv_bfloat162 c = __float22bfloat162_rn({1.5f, -2});
  CHECK(__bfloat1622float2(c + c).x == 3);
  CHECK(__bfloat16_as_ushort(__high2bfloat16(c)) == 0xc000);
}

TEST_CASE("mathematics of half") {
  CHECK(float(hsqrt(__half(2))) == __half2float(__half(std::sqrt(2.0))));
  CHECK(float(hexp2(__half(-24))) == 0x1p-24f);
  CHECK(float(hrcp(__half(4))) == 0.25f);
  CHECK(float(hrint(__half(2.5f))) == 2);
  CHECK(float(hfloor(__nv_bfloat16(-0.5f))) == -1);
  CHECK(__high2float(h2log2(__floats2half2_rn(1, 8))) == 3);
}
