// CUDA's intrinsics of integers, casts and types on the executor.
#include "executor/language/integers.hpp"
#include "executor/language/conversions.hpp"
#include "executor/language/memory_access.hpp"
#include "executor/language/vector_types.hpp"

#include <random>

using namespace nbody;

namespace {

/// Words of all kinds: random ones, few bits, ends.
std::vector<unsigned> words() {
  std::mt19937 random(1);
  std::vector<unsigned> result = {0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x80808080, 0x7f80ff01};
  while (result.size() < 100) result.push_back(random() & random());
  return result;
}

}  // namespace

TEST_CASE("vector types are as large and as aligned as CUDA's") {
#define NBODY_CHECK_TYPE(T, bytes, alignment) \
  STATIC_REQUIRE(sizeof(T) == (bytes));       \
  STATIC_REQUIRE(alignof(T) == (alignment));
  NBODY_CHECK_TYPE(char2, 2, 2)
  NBODY_CHECK_TYPE(uchar3, 3, 1)
  NBODY_CHECK_TYPE(char4, 4, 4)
  NBODY_CHECK_TYPE(ushort3, 6, 2)
  NBODY_CHECK_TYPE(short4, 8, 8)
  NBODY_CHECK_TYPE(int3, 12, 4)
  NBODY_CHECK_TYPE(uint4, 16, 16)
  NBODY_CHECK_TYPE(long2, 16, 16)
  NBODY_CHECK_TYPE(longlong4, 32, 16)
  NBODY_CHECK_TYPE(float2, 8, 8)
  NBODY_CHECK_TYPE(float3, 12, 4)
  NBODY_CHECK_TYPE(double3, 24, 8)
  NBODY_CHECK_TYPE(double4, 32, 16)
  NBODY_CHECK_TYPE(double4_16a, 32, 16)
  NBODY_CHECK_TYPE(double4_32a, 32, 32)
#undef NBODY_CHECK_TYPE
  CHECK(make_short4(1, 2, 3, 4).w == 4);
  const uint3 extents = dim3(2, 3);
  CHECK(extents.y * 10 + extents.z == 31);
}

TEST_CASE("functions of bits") {
  for (unsigned x : words()) {
    int count = 0, high = -1, low = -1;
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if ((x >> bit & 1) == 0) continue;
      ++count;
      high = bit;
      if (low < 0) low = bit;
      reversed |= 1u << (31 - bit);
    }
    const int word = static_cast<int>(x);
    CHECK(__popc(x) == count);
    CHECK(__clz(word) == 31 - high);
    CHECK(__ffs(word) == low + 1);
    CHECK(__brev(x) == reversed);
    CHECK(__brevll(x) == static_cast<unsigned long long>(reversed) << 32);
    CHECK(__clzll(static_cast<long long>(x) << 32) == (x == 0 ? 64 : 31 - high));
    CHECK(__ffsll(static_cast<long long>(x) << 32) == (x == 0 ? 0 : low + 33));
    CHECK(__fns(x, 0, 1) == low);
    CHECK(__fns(x, 31, -1) == high);
    CHECK(__fns(x, 0, count + 1) == -1);
  }
  CHECK(__fns(0b1010'1100, 2, 2) == 3);
  CHECK(__fns(0b1010'1100, 4, 0) == -1);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x7250) == 0x77225500);
  CHECK(nbody::executor::permuteBytes(0x0000ff80, 0x7f, 0x8cd1) == 0xff0000ff);  // bit 3 of a digit spreads the sign
  CHECK(__byte_perm(0x0000ff80, 0x7f, 0x8cd1) == 0x807f00ff);  // bit 3 has no meaning
}

TEST_CASE("funnel shifts take the shift modulo 32, or clamped") {
  for (unsigned low : words())
    for (unsigned shift : {0u, 1u, 31u, 32u, 33u, 100u}) {
      const unsigned high = low * 2654435761u;
      const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
      const unsigned s = shift % 32, c = std::min(shift, 32u);
      CHECK(__funnelshift_l(low, high, shift) == static_cast<unsigned>(both << s >> 32));
      CHECK(__funnelshift_r(low, high, shift) == static_cast<unsigned>(both >> s));
      CHECK(__funnelshift_lc(low, high, shift) == static_cast<unsigned>(both << c >> 32));
      CHECK(__funnelshift_rc(low, high, shift) == static_cast<unsigned>(both >> c));
    }
}

TEST_CASE("products and averages") {
  CHECK(__mul24(-3, 5) == -15);
  CHECK(__mul24(0x01800000, 2) == -0x1000000);  // bit 23 is the sign, bits above do not count
  CHECK(__umul24(0xff000002, 3) == 6);
  CHECK(__mulhi(-2, 0x40000000) == -1);
  CHECK(__umulhi(0xffffffff, 0xffffffff) == 0xfffffffe);
  CHECK(__mul64hi(-2, 0x4000000000000000) == -1);
  CHECK(__umul64hi(0xffffffffffffffff, 2) == 1);
  CHECK(__sad(-2000000000, 2000000000, 1) == 4000000001u);
  CHECK(__usad(1, 5, 10) == 14);
  CHECK(__vsadu4(0x0a00ff01, 0x05000203) == 5 + 253 + 2);
  CHECK(__hadd(-3, 0) == -2);
  CHECK(__rhadd(-3, 0) == -1);
  CHECK(__hadd(0x7fffffff, 0x7fffffff) == 0x7fffffff);
  CHECK(__uhadd(0xffffffff, 1) == 0x80000000);
  CHECK(__urhadd(0xffffffff, 0) == 0x80000000);
}

TEST_CASE("conversions to integers round as named and stop at the ends") {
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_rz(-2.7f) == -2);
  CHECK(__float2int_ru(2.1f) == 3);
  CHECK(__float2int_rd(-2.1f) == -3);
  CHECK(__float2int_rn(3e9f) == std::numeric_limits<int>::max());
  CHECK(__float2int_rn(-3e9f) == std::numeric_limits<int>::min());
  CHECK(__float2int_rn(NAN) == 0);
  CHECK(__float2uint_rz(-5.0f) == 0);
  CHECK(__float2uint_rz(4294967040.0f) == 4294967040u);
  CHECK(__float2uint_rz(1e10f) == 0xffffffffu);
  CHECK(__float2ll_rd(-0.5f) == -1);
  CHECK(__float2ll_rz(NAN) == std::numeric_limits<long long>::min());
  CHECK(__double2ull_rn(1e30) == 0xffffffffffffffff);
  CHECK(__double2int_rz(NAN) == std::numeric_limits<int>::min());
  CHECK(__double2ll_rz(-9.3e18) == std::numeric_limits<long long>::min());
}

TEST_CASE("casts of bits, and loads and stores with hints") {
  CHECK(__float_as_int(-0.0f) == std::numeric_limits<int>::min());
  CHECK(__uint_as_float(0x3f800000) == 1);
  CHECK(__double2hiint(-2.0) == static_cast<int>(0xc0000000));
  CHECK(__hiloint2double(0x3ff00000, 1) == 1 + std::numeric_limits<double>::epsilon());
  CHECK(__double2loint(1 + std::numeric_limits<double>::epsilon()) == 1);
  const float4 v = {1, 2, 3, 4};
  CHECK(__ldg(&v).w == 4);
  short stored = 0;
  __stcs(&stored, 7);
  CHECK(__ldcg(&stored) == 7);
}
