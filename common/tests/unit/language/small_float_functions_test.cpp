// Functions of __half and __nv_bfloat16 on the executor, beyond rounding to the nearest.
#include "executor/language/small_floats.hpp"

#include <random>

using namespace nbody;

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
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const float f =
        static_cast<float>(std::ldexp(double(random() >> 11), -37 - int(random() % 30)));
    for (float x : {f, -f}) {
      const float up = __float2half_ru(x), down = __float2half_rd(x), zero = __float2half_rz(x);
      CHECK(down <= x);
      CHECK(up >= x);
      CHECK(zero == (x > 0 ? down : up));
      if (x != up && std::isfinite(up) && std::isfinite(down))
        CHECK(std::abs(__half(up).bits() - __half(down).bits()) == 1);
    }
  }
  CHECK(float(__float2half_rz(1e6f)) == 65504);
  CHECK(float(__float2half_ru(1e6f)) == INFINITY);
  CHECK(float(__float2half_rd(-1e-9f)) == -0x1p-24f);
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
