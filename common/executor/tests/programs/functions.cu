// Functions of kernels against their definitions: integers, conversions, rounding, mathematics, random numbers, half and bfloat16, warps,
// atomics, groups, barriers and pipelines. A wrong result prints its line. nvcc compiles it too, and a GPU must print the same.
// orders: forward reverse random:1
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>

#include <climits>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/tuple>

namespace cg = cooperative_groups;

__device__ void check(bool isRight, int line) {
  if (!isRight) printf("wrong in line %d\n", line);
}
#define CHECK(isRight) check(isRight, __LINE__)

__device__ unsigned hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

#define IS_LIKE(T, bytes, alignment) static_assert(sizeof(T) == (bytes) && alignof(T) == (alignment), "")
IS_LIKE(char2, 2, 2);
IS_LIKE(uchar3, 3, 1);
IS_LIKE(char4, 4, 4);
IS_LIKE(ushort3, 6, 2);
IS_LIKE(short4, 8, 8);
IS_LIKE(int3, 12, 4);
IS_LIKE(uint4, 16, 16);
IS_LIKE(long2, 16, 16);
IS_LIKE(float2, 8, 8);
IS_LIKE(float3, 12, 4);
IS_LIKE(double3, 24, 8);
#if !defined(__CUDACC_VER_MAJOR__) || __CUDACC_VER_MAJOR__ >= 13
IS_LIKE(double4_16a, 32, 16);
IS_LIKE(double4_32a, 32, 32);
#endif

__global__ void bits() {
  const unsigned ends[] = {0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x80808080, 0x7f80ff01};
  const unsigned i = threadIdx.x, x = i < 7 ? ends[i] : hash(i) & hash(hash(i));
  int count = 0, high = -1, low = -1;
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit) {
    if ((x >> bit & 1) == 0) continue;
    ++count;
    high = bit;
    if (low < 0) low = bit;
    reversed |= 1u << (31 - bit);
  }
  CHECK(__popc(x) == count && __clz(int(x)) == 31 - high && __ffs(int(x)) == low + 1 && __brev(x) == reversed);
  CHECK(__brevll(x) == (unsigned long long)reversed << 32);
  CHECK(__clzll((long long)x << 32) == (x == 0 ? 64 : 31 - high) && __ffsll((long long)x << 32) == (x == 0 ? 0 : low + 33));
  CHECK(int(__fns(x, 0, 1)) == low && int(__fns(x, 31, -1)) == high && int(__fns(x, 0, count + 1)) == -1);
  const unsigned shifts[] = {0, 1, 31, 32, 33, 100}, other = x * 2654435761u;
  const unsigned long long both = (unsigned long long)other << 32 | x;
  for (unsigned shift : shifts) {  // modulo 32, or clamped
    const unsigned s = shift % 32, c = min(shift, 32u);
    CHECK(__funnelshift_l(x, other, shift) == unsigned(both << s >> 32) && __funnelshift_r(x, other, shift) == unsigned(both >> s));
    CHECK(__funnelshift_lc(x, other, shift) == unsigned(both << c >> 32) && __funnelshift_rc(x, other, shift) == unsigned(both >> c));
  }
}

__global__ void integers() {
  CHECK(__fns(0xac, 2, 2) == 3 && int(__fns(0xac, 4, 0)) == -1);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x7250) == 0x77225500);
  CHECK(__byte_perm(0x0000ff80, 0x7f, 0x8cd1) == 0x807f00ff);  // bit 3 has no meaning
  unsigned spread;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(spread) : "r"(0x0000ff80), "r"(0x7f), "r"(0x8cd1));
  CHECK(spread == 0xff0000ff);  // bit 3 of a digit spreads the sign
  CHECK(__mul24(-3, 5) == -15 && __mul24(0x01800000, 2) == -0x1000000);  // bit 23 is the sign, bits above do not count
  CHECK(__umul24(0xff000002, 3) == 6 && __mulhi(-2, 0x40000000) == -1 && __umulhi(~0u, ~0u) == 0xfffffffe);
  CHECK(__mul64hi(-2, 0x4000000000000000) == -1 && __umul64hi(~0ull, 2) == 1);
  CHECK(__sad(-2000000000, 2000000000, 1) == 4000000001u && __usad(1, 5, 10) == 14 && __vsadu4(0x0a00ff01, 0x05000203) == 260);
  CHECK(__hadd(-3, 0) == -2 && __rhadd(-3, 0) == -1 && __hadd(INT_MAX, INT_MAX) == INT_MAX);
  CHECK(__uhadd(~0u, 1) == 0x80000000 && __urhadd(~0u, 0) == 0x80000000);
  CHECK(__vadd4(0x01ff7f80u, 0x01020304u) == 0x02018284 && __vmaxs4(0xff017f80u, 0) == 0x00017f00);
  CHECK(__vaddss2(0x7fff8000u, 0x00018000u) == 0x7fff8000 && __dp4a(0x01ff0201, 0x01010101, 2) == 5);
}

/// Conversions round as named, and stop at the ends.
__global__ void conversions(short* stored) {
  CHECK(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
  CHECK(__float2int_rn(3e9f) == INT_MAX && __float2int_rn(-3e9f) == INT_MIN && __float2int_rn(NAN) == 0);
  CHECK(__float2uint_rz(-5.0f) == 0 && __float2uint_rz(4294967040.0f) == 4294967040u && __float2uint_rz(1e10f) == ~0u);
  CHECK(__float2ll_rd(-0.5f) == -1 && __float2ll_rz(NAN) == LLONG_MIN && __double2ull_rn(1e30) == ~0ull);
  CHECK(__double2int_rz(NAN) == INT_MIN && __double2ll_rz(-9.3e18) == LLONG_MIN);
  CHECK(__float_as_int(-0.0f) == INT_MIN && __uint_as_float(0x3f800000) == 1);
  CHECK(__double2hiint(-2.0) == int(0xc0000000) && __hiloint2double(0x3ff00000, 1) == 1 + 0x1p-52);
  CHECK(__double2loint(1 + 0x1p-52) == 1);
  __stcs(stored, short(7));
  CHECK(__ldcg(stored) == 7 && make_short4(1, 2, 3, 4).w == 4 && uint3(dim3(2, 3)).z == 1);
}

__global__ void mathematics() {
  static_assert(std::is_same<decltype(rsqrt(1.0f)), float>::value && std::is_same<decltype(exp10(1.0f)), float>::value &&
                std::is_same<decltype(sqrt(1.0f)), float>::value && std::is_same<decltype(::fabs(1.0f)), float>::value &&
                std::is_same<decltype(max(1, 2u)), unsigned>::value && std::is_same<decltype(min(1.0f, 2.0)), double>::value, "");
  CHECK(max(-1, 1u) == ~0u && min(-1L, 5UL) == 5 && min(3LL, -4LL) == -4 && umax(3, 0xfffffffeu) == 0xfffffffeu);
  CHECK(max(NAN, 1.0f) == 1 && min(2.0, double(NAN)) == 2);
  CHECK(__fdividef(1, 0x1p127f) == 0 && __fdividef(1, 4) == 0.25f && isnan(__fdividef(INFINITY, 0x1p127f)));
  CHECK(isnan(__powf(-2, 2)) && __powf(2, 10) == 1024);
  CHECK(__saturatef(NAN) == 0 && __saturatef(-3) == 0 && __saturatef(0.25f) == 0.25f && __saturatef(7) == 1);
  CHECK(__fadd_rz(3e38f, 3e38f) == 0x1.fffffep127f && __fadd_ru(3e38f, 3e38f) == INFINITY && signbit(__fadd_rd(1, -1)));
  CHECK(__ull2double_ru(~0ull) == 0x1p64 && __ull2double_rd(~0ull) == 0x1.fffffffffffffp63);
  const float three[3] = {2, 3, 6};
  float sine, cosine;
  sincospif(0.5f, &sine, &cosine);
  CHECK(norm3df(2, 3, 6) == 7 && normf(3, three) == 7 && norm4d(1, 1, 1, 1) == 2 && fabsf(rhypotf(3, 4) - 0.2f) < 1e-6f);
  CHECK(sine == 1 && cosine == 0 && cospi(1.0) == -1 && rcbrt(8.0) == 0.5 && fabs(normcdf(1.0) - 0.841345) < 1e-6);
  CHECK(fabs(erfinv(0.5) - 0.476936) < 1e-6 && fabs(erfcinv(1e-10) - 4.572825) < 1e-6 && fabs(erfcx(30.0) - 0.0187959) < 1e-7);
  CHECK(fabs(normcdfinv(0.975) - 1.959964) < 1e-6 && fabs(cyl_bessel_i0(1.0) - 1.266066) < 1e-6);
  CHECK(fabsf(cyl_bessel_i1f(-1) + 0.565159f) < 1e-6f);
  const cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(2, 4), make_cuDoubleComplex(0, 1));
  CHECK(cuCreal(z) == 4 && cuCimag(z) == -2 && cuCabsf(make_cuComplex(3, 4)) == 5);
}

/// Counter 0 and key 0 have the numbers that Philox's authors print.
__global__ void randomNumbers() {
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, 0, &philox);
  const uint4 first = curand4(&philox);
  CHECK(first.x == 0x6627e8d5 && first.y == 0xe169c58d && first.z == 0xbc57ac4c && first.w == 0x9b00dbd8);
  curandState one, other;
  curand_init(7, 3, 1000, &one);
  curand_init(7, 3, 0, &other);
  for (int i = 0; i < 1005; ++i) curand(&other);
  skipahead(5, &one);
  CHECK(curand(&one) == curand(&other));
  double sums[3] = {}, draws = 4000;
  for (int i = 0; i < draws; ++i) {
    const double normal = curand_normal(&one);
    sums[0] += curand_uniform(&one), sums[1] += normal, sums[2] += normal * normal;
  }
  CHECK(fabs(sums[0] / draws - 0.5) < 0.02 && fabs(sums[1] / draws) < 0.06 && fabs(sums[2] / draws - 1) < 0.1);
}

__device__ float neighbour(float x, float to) { return nextafterf(x, to); }
__device__ double neighbour(double x, double to) { return nextafter(x, to); }

/// Checks the four results of one operation by the sign of exact minus nearest: down is below, up above, they are neighbours or equal,
/// and the one towards zero is the smaller in size.
template <class T>
__device__ void checkDirected(T nearest, T zero, T up, T down, double error, int line) {
  check(down == (error < 0 ? neighbour(nearest, T(-INFINITY)) : nearest), line);
  check(up == (error > 0 ? neighbour(nearest, T(INFINITY)) : nearest), line);
  check(zero == (nearest > 0 ? down : up), line);
}
__device__ double number(unsigned i, int range) {
  const unsigned x = hash(i), y = hash(x);
  return ldexp(1 + hash(y) * 0x1p-32 + x * 0x1p-52, int(y % (2 * range + 1)) - range) * (x % 2 == 0 ? 1 : -1);
}
__device__ double errorOfSum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part);
}
__global__ void directions() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double a = number(i, 30), b = number(i + 1, 30), c = fabs(a), p = a * b, q = a / b, s = sqrt(c), r = 1 / c;
  checkDirected(__dadd_rn(a, b), __dadd_rz(a, b), __dadd_ru(a, b), __dadd_rd(a, b), errorOfSum(a, b), __LINE__);
  checkDirected(__dsub_rn(a, b), __dsub_rz(a, b), __dsub_ru(a, b), __dsub_rd(a, b), errorOfSum(a, -b), __LINE__);
  checkDirected(p, __dmul_rz(a, b), __dmul_ru(a, b), __dmul_rd(a, b), fma(a, b, -p), __LINE__);
  checkDirected(q, __ddiv_rz(a, b), __ddiv_ru(a, b), __ddiv_rd(a, b), b > 0 ? fma(-q, b, a) : -fma(-q, b, a), __LINE__);
  checkDirected(s, __dsqrt_rz(c), __dsqrt_ru(c), __dsqrt_rd(c), fma(-s, s, c), __LINE__);
  checkDirected(r, __drcp_rz(c), __drcp_ru(c), __drcp_rd(c), fma(-r, c, 1.0), __LINE__);
  const double x = number(i, 10);
  const float f = float(x), whole = float(int(x * 1e6));
  checkDirected(f, __double2float_rz(x), __double2float_ru(x), __double2float_rd(x), x - f, __LINE__);
  const int n = int(x * 1e6);
  checkDirected(whole, __int2float_rz(n), __int2float_ru(n), __int2float_rd(n), n - double(whole), __LINE__);
}

struct Half {
  using T = __half;
  static constexpr int kFractionBits = 10, kLeastExponent = -14;
  static __device__ T of(int bits) { return __ushort_as_half(bits); }
  static __device__ int bitsOf(T x) { return __half_as_ushort(x); }
  static __device__ float toFloat(T x) { return __half2float(x); }
  static __device__ T rounded(float x) { return __float2half(x); }
  static __device__ T rounded(double x) { return __double2half(x); }
};
struct BFloat {
  using T = __nv_bfloat16;
  static constexpr int kFractionBits = 7, kLeastExponent = -126;
  static __device__ T of(int bits) { return __ushort_as_bfloat16(bits); }
  static __device__ int bitsOf(T x) { return __bfloat16_as_ushort(x); }
  static __device__ float toFloat(T x) { return __bfloat162float(x); }
  static __device__ T rounded(float x) { return __float2bfloat16(x); }
  static __device__ T rounded(double x) { return __double2bfloat16(x); }
};
/// The value that the format's definition gives these bits: fraction * 2^exponent, also if they are infinity's.
template <class Format>
__device__ double valueOf(int bits) {
  const int fraction = bits & ((1 << Format::kFractionBits) - 1), exponent = (bits & 0x7fff) >> Format::kFractionBits;
  const int whole = exponent == 0 ? fraction : fraction + (1 << Format::kFractionBits);
  return ldexp(double(whole), Format::kLeastExponent - Format::kFractionBits + max(exponent - 1, 0)) * (bits >> 15 ? -1 : 1);
}
/// Every number of 16 bits is its value, and what is rounded becomes the nearest, or the even one of two.
template <class Format>
__global__ void everyNumber() {
  constexpr int kInfinity = (1 << 15) - (1 << Format::kFractionBits);
  const int bits = blockIdx.x * blockDim.x + threadIdx.x, size = bits & 0x7fff;
  const auto x = Format::of(bits);
  const float f = Format::toFloat(x);
  if (size > kInfinity) return CHECK(isnan(f) && __hisnan(x) && !(x == x) && Format::bitsOf(Format::rounded(f)) == 0x7fff);
  const double value = valueOf<Format>(bits);
  CHECK(f == (size == kInfinity ? value * INFINITY : value) && signbit(f) == (bits >= 0x8000));
  CHECK(Format::bitsOf(Format::rounded(f)) == bits && Format::bitsOf(__hneg(x)) == (bits ^ 0x8000));
  if (size == kInfinity) return;
  const double middle = (value + valueOf<Format>(bits + 1)) / 2;
  const int even = bits + bits % 2;
  CHECK(Format::bitsOf(Format::rounded(middle)) == even && Format::bitsOf(Format::rounded(float(middle))) == even);
  CHECK(Format::bitsOf(Format::rounded(neighbour(middle, 0.0))) == bits);
  CHECK(Format::bitsOf(Format::rounded(neighbour(middle, 3 * middle))) == bits + 1);
  CHECK(Format::bitsOf(Format::rounded(neighbour(float(middle), 0.0f))) == bits);
  CHECK(Format::bitsOf(Format::rounded(neighbour(float(middle), 3 * float(middle)))) == bits + 1);
}

__global__ void smallFloats() {
  const __half nan = NAN, one = 1, zero = 0.0f, negative = -0.0f;
  CHECK(__half2int_rn(__half(2.5f)) == 2 && __half2int_ru(__half(2.5f)) == 3 && __half2short_rz(__half(65504.0f)) == 32767);
  CHECK(__half2uchar_rz(__half(-3)) == 0 && __half2int_rd(nan) == 0 && int(__half(-2.75f)) == -2);
  CHECK(bool(__half(0x1p-24f)) && !bool(negative));
  CHECK(float(__float2half_rz(1e6f)) == 65504 && float(__float2half_ru(1e6f)) == INFINITY);
  CHECK(float(__float2half_rd(-1e-9f)) == -0x1p-24f && float(__float2half_rd(1 + 0x1p-12f)) == 1);
  CHECK(float(__ull2bfloat16_ru(0xff00000000000001)) == 0x1p64f && float(__ull2bfloat16_rn(0xff00000000000001)) == 0xffp56f);
  CHECK(float(__ll2bfloat16_rd(-0x4000000000000001)) == -0x81p55f);
  // Comparisons with a NaN are false, or true with a u.
  CHECK(!__hlt(nan, one) && !__hne(nan, one) && __hltu(nan, one) && nan != one && one > __half(0.5f));
  const half2 both = __halves2half2(one, nan);
  CHECK(__heq2_mask(both, both) == 0xffff && __low2float(__hge2(both, both)) == 1 && !__hbeq2(both, both) && __hbequ2(both, both));
  // The greatest and the least are the number, not the NaN, and -0 is below 0.
  CHECK(__hmax(nan, one) == one && __hmin(one, nan) == one && __hisnan(__hmax_nan(nan, one)));
  CHECK(__half_as_ushort(__hmax(negative, zero)) == 0 && __half_as_ushort(__hmin(zero, negative)) == 0x8000);
  CHECK(float(__hadd_sat(one, one)) == 1 && float(__hmul_sat(nan, one)) == 0 && __hisinf(__half(-INFINITY)) == -1);
  CHECK(__half_as_ushort(__hfma_relu(one, __half(-2), one)) == 0);
  const half2 a = __floats2half2_rn(1, 2), b = make_half2(__half(3), __half(5)), sum = __hfma2(a, b, __half2half2(__half(10)));
  CHECK(__low2float(sum) == 13 && __high2float(sum) == 20 && __low2float(__lowhigh2highlow(a)) == 2);
  CHECK(__high2float(__lows2half2(a, b)) == 3 && fabsf(__half22float2(a / b).y - 0.4f) < 1e-3f);
  const half2 product = __hcmadd(a, b, a);  // (1 + 2i)(3 + 5i) + (1 + 2i)
  CHECK(__low2float(product) == -6 && __high2float(product) == 13);
  const nv_bfloat162 c = __float22bfloat162_rn(make_float2(1.5f, -2));
  CHECK(__bfloat1622float2(c + c).x == 3 && __bfloat16_as_ushort(__high2bfloat16(c)) == 0xc000);
  CHECK(float(hexp2(__half(-24))) == 0x1p-24f && float(hrcp(__half(4))) == 0.25f && float(hrint(__half(2.5f))) == 2);
  CHECK(float(hfloor(__nv_bfloat16(-0.5f))) == -1 && __high2float(h2log2(__floats2half2_rn(1, 8))) == 3);
  CHECK(float(hsqrt(__half(2))) == 0x1.6ap0f);
}

__managed__ unsigned long long sumsOfHalves[5];
/// Sums of bits over many operands: one result that is not rounded once changes them. An H200 gives the same.
__global__ void halves() {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, r = hash(i), s = hash(r);
  const __half a = Half::of(r), b = Half::of(r >> 16), c = Half::of(s);
  const __nv_bfloat16 d = BFloat::of(r), e = BFloat::of(r >> 16), f = BFloat::of(s);
  const auto add = [](int k, unsigned bits) { atomicAdd(&sumsOfHalves[k], (unsigned long long)hash(bits)); };
  const auto known = [](__half x) { return __hisnan(x) ? 0x7fffu : __half_as_ushort(x); };
  const auto knownB = [](__nv_bfloat16 x) { return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x); };
  add(0, known(__hadd(a, b)) + known(__hsub(a, c)) * 65536u);
  add(1, known(__hmul(a, b)) + known(__hfma(a, b, c)) * 65536u);
  add(2, known(__hmax(a, b)) + known(__hmin(a, b)) * 65536u);
  add(3, knownB(__hadd(d, e)) + knownB(__hmul(d, e)) * 65536u);
  add(4, knownB(__hfma(d, e, f)) + knownB(__float2bfloat16(__uint_as_float(s))) * 65536u);
}

__global__ void lanes() {
  const unsigned all = ~0u, i = threadIdx.x;
  CHECK(__shfl_sync(all, i, 9, 8) == i / 8 * 8 + 1 && __shfl_up_sync(all, i, 3) == (i < 3 ? i : i - 3));
  CHECK(__any_sync(all, i == 31) && !__all_sync(all, i != 31) && __ballot_sync(all, i % 8 == 7) == 0x80808080u);
  CHECK(__match_any_sync(all, i / 8) == 0xffu << i / 8 * 8);
  if (i < 4) CHECK(__match_any_sync(0xfu, i == 2 ? 1.5 : -1.5) == (i == 2 ? 4 : 0xb));
  int first, second;
  CHECK(__match_all_sync(all, 7ull << 40, &first) == all && first && !__match_all_sync(all, i, &second) && !second);
  CHECK(__reduce_min_sync(all, 5 - int(i)) == -26);
  if (i % 2 == 0) CHECK(__reduce_add_sync(0x55555555u, i) == 240);
  else CHECK(__reduce_xor_sync(0xaaaaaaaau, 1u << i) == 0xaaaaaaaa);
  CHECK(__shfl_down_sync(all, 1.5 * i, 3, 8) == 1.5 * (i % 8 < 5 ? i + 3 : i));
  CHECK(__half2float(__shfl_xor_sync(all, __half(i), 16)) == (i ^ 16));
}

/// Each operation returns what was there.
__global__ void atomics() {
  __shared__ int i;
  __shared__ unsigned u;
  __shared__ unsigned long long l;
  __shared__ long long s;
  __shared__ float f;
  __shared__ double d;
  __shared__ unsigned short h;
  i = u = l = f = d = h = 5, s = -5;
  CHECK(atomicAdd(&i, 2) == 5 && atomicSub_block(&i, 10) == 7 && atomicMin_system(&i, -9) == -3 && atomicExch(&i, 6) == -9 && i == 6);
  CHECK(atomicOr(&u, 8u) == 5 && atomicAnd(&u, 12u) == 13 && atomicXor(&u, 5u) == 12);
  CHECK(atomicInc(&u, 9u) == 9 && atomicInc(&u, 9u) == 0 && atomicDec(&u, 3u) == 1 && atomicDec(&u, 3u) == 0 && u == 3);
  CHECK(atomicMax(&l, 1ull << 40) == 5 && atomicCAS(&l, 1ull << 40, 7ull) == 1ull << 40 && atomicCAS(&l, 1ull, 9ull) == 7);
  CHECK(atomicMax(&s, 3ll) == -5 && s == 3);
  CHECK(atomicAdd(&f, 0.5f) == 5 && atomicExch(&f, 1.0f) == 5.5f && atomicAdd_system(&d, 0.5) == 5 && d == 5.5);
  CHECK(atomicCAS(&h, (unsigned short)5, (unsigned short)6) == 5 && h == 6);
  i = INT_MAX;
  atomicAdd(&i, 1);
  CHECK(i == INT_MIN);
}

__device__ double sumOfDoubles;
__device__ float4 sumOfFour;
__device__ __half sumOfHalves;
__device__ half2 sumOfPairs;
__device__ __nv_bfloat16 sumOfBFloats;
__global__ void sums() {
  atomicAdd(&sumOfDoubles, 1.0);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  atomicAdd(&sumOfFour, make_float4(1, 2, 3, 4));
#else
  atomicAdd(&sumOfFour.w, 4);
#endif
  atomicAdd(&sumOfHalves, __half(1));
  atomicAdd(&sumOfPairs, __floats2half2_rn(1, 2));
  if (threadIdx.x == 0) atomicAdd(&sumOfBFloats, __nv_bfloat16(2));
}
__global__ void checkSums() {
  CHECK(sumOfDoubles == 1024 && sumOfFour.w == 4096 && float(sumOfHalves) == 1024 && __high2float(sumOfPairs) == 2048);
  CHECK(float(sumOfBFloats) == 32);
}

/// A value larger than a register.
struct Moments {
  double mass, x, y;
  int count;
  friend __device__ Moments operator+(const Moments& a, const Moments& b) {
    return {a.mass + b.mass, a.x + b.x, a.y + b.y, a.count + b.count};
  }
};
/// The sums of four consecutive threads, taken by a function that takes any tile of four.
template <class Parent>
__device__ int sumOfTile(const cg::thread_block_tile<4, Parent>& tile, int value) {
  for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2) value += tile.shfl_xor(value, delta);
  return value;
}
__device__ int sumByHalving(const cg::thread_group& group, int* scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}
__global__ void places() {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  CHECK(block.size() == 64 && block.num_threads() == 64 && cg::thread_group(block).size() == 64);
  CHECK(block.thread_rank() == threadIdx.x + 8 * threadIdx.y + 32 * threadIdx.z);
  CHECK(block.group_index().y == blockIdx.y && block.thread_index().z == threadIdx.z);
  CHECK(grid.size() == 384 && grid.num_blocks() == 6 && grid.block_rank() == blockIdx.x + 2 * blockIdx.y);
  CHECK(grid.thread_rank() == 64 * grid.block_rank() + block.thread_rank());
}
__device__ cuda::atomic<int, cuda::thread_scope_device> ranks, numbered;
__global__ void tiles() {
  __shared__ int scratch[128];
  __shared__ char bytes[37], given[37];
  __shared__ double numbers[40], copied[40];
  const cg::thread_block block = cg::this_thread_block();
  const int i = threadIdx.x;
  const auto tile = cg::tiled_partition<8>(block);
  const int first = i / 8 * 8;
  CHECK(tile.meta_group_rank() == i / 8 && tile.shfl(i, 3) == first + 3 && tile.shfl_down(i, 2) == (i % 8 < 6 ? i + 2 : i));
  CHECK(tile.shfl_up(i, 2) == (i % 8 >= 2 ? i - 2 : i) && tile.any(i % 8 == 5) && !tile.all(i % 8 == 5));
  int isSame = 0;
  CHECK(tile.match_all(7, isSame) == 0xff && isSame);
  const auto four = cg::tiled_partition<4>(tile);
  CHECK(four.meta_group_rank() == i % 8 / 4 && four.meta_group_size() == 2 && sumOfTile(four, i) == 4 * (i / 4 * 4) + 6);
  CHECK(cg::thread_block_tile<4>(four).thread_rank() == i % 4);
  const auto large = cg::tiled_partition<64>(block);  // of two warps
  const int from = i / 64 * 64;
  CHECK(large.thread_rank() == i % 64 && large.meta_group_size() == 2 && large.shfl(i, 31) == from + 31);
  CHECK(large.any(i == 70) == (from == 64) && large.all(i != 70) == (from != 64));
  CHECK(cg::reduce(large, i, cg::plus<int>()) == 64 * from + 2016 && cg::inclusive_scan(large, 1) == i - from + 1);
  const int before = cg::exclusive_scan(large, i, cg::greater<int>());  // of the first, CUDA says nothing
  CHECK(i == from || before == i - 1);
  const auto warp = cg::tiled_partition<32>(block);
  const double begin = i / 32 * 32, sum = 32 * begin + 496;
  const Moments own = {1, double(i), -double(i), 1}, whole = cg::reduce(warp, own, cg::plus<Moments>());
  CHECK(whole.count == 32 && whole.x == sum && whole.y == -sum);
  const Moments earlier = cg::exclusive_scan(warp, own, cg::plus<Moments>());
  CHECK(i % 32 == 0 || earlier.count == i % 32);
  CHECK(warp.ballot(i % 32 == 7) == 1u << 7 && warp.match_any(i % 2) == (i % 2 ? 0xaaaaaaaau : 0x55555555u));
  cg::reduce_update_async(warp, ranks, i % 32, cg::plus<int>());
  CHECK(cg::exclusive_scan_update(warp, numbered, 1, cg::plus<int>()) % 32 == i % 32);
  CHECK(cg::invoke_one_broadcast(warp, [] { return 5; }) == 5);
  cg::invoke_one(block, [&] { CHECK(i == 0 && block.group_dim().x == 128); });
  CHECK(__syncthreads_count(i < 5) == 5 && __syncthreads_or(i == 9) && !__syncthreads_and(i != 9));
  const double factor = 2;  // a lambda with something in it
  CHECK(cg::inclusive_scan(warp, 1.0, [=](double a, double b) { return factor * a * b; }) == exp2(double(warp.thread_rank())));
  CHECK(cg::reduce(warp, threadIdx.x, cg::bit_or<unsigned>()) == (threadIdx.x | 31));
  CHECK(cg::reduce(warp, double(i), cg::less<double>()) == begin);
  const int all = sumByHalving(block, scratch, i);
  const cg::thread_group part = cg::tiled_partition(block, 16);
  const int ofPart = sumByHalving(part, scratch + i / 16 * 16, i);
  CHECK((i != 0 || all == 8128) && (part.thread_rank() != 0 || ofPart == 16 * i + 120));
  if (i < 37) given[i] = i + 1;
  if (i < 40) numbers[i] = i, copied[i] = -1;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  cg::memcpy_async(block, bytes, given, 37);
  cg::memcpy_async(block, copied, 30, numbers, 40);  // of elements, as many as both have
  cg::wait(block);
  CHECK((i >= 37 || bytes[36 - i] == 37 - i) && (i >= 40 || copied[i] == (i < 30 ? i : -1)));
}
__global__ void together() {
  const int i = threadIdx.x % 32;
  if (i % 3 != 0) return;
  const cg::coalesced_group group = cg::coalesced_threads();
  CHECK(group.size() == 11 && group.thread_rank() == i / 3 && group.shfl_down(i, 1) == min(i + 3, 30));
  CHECK(group.ballot(i == 6) == 1u << 2 && cg::reduce(group, i, cg::plus<int>()) == 165);
  const auto four = cg::tiled_partition(group, 4);
  CHECK(four.size() == (i < 24 ? 4 : 3) && four.meta_group_rank() == i / 12);
  const auto alike = cg::labeled_partition(group, i / 12);
  CHECK(alike.meta_group_size() == 3 && alike.meta_group_rank() == i / 12);
  const auto part = cg::binary_partition(group, i % 2 == 0);
  CHECK(part.meta_group_size() == 2 && part.size() == (i % 2 == 0 ? 6 : 5));
}
template <class F>
__device__ void callInBoth(F f) {
  if (threadIdx.x < 16) f(0xffff);
  else f(0xffff0000);
}
/// A lambda that is called at two places through a parameter.
__global__ void lambdas() {
  callInBoth([](unsigned lanes) { CHECK(__activemask() == lanes); });
}

using Barrier = cuda::barrier<cuda::thread_scope_block>;
struct Count {
  int* calls;
  __device__ void operator()() const { ++*calls; }
};
__global__ void barriers() {
  static_assert(sizeof(Barrier) == 8, "");
  __shared__ Barrier barrier;
  __shared__ cuda::barrier<cuda::thread_scope_block, Count> counting;
  __shared__ int produced, calls;
  const int i = threadIdx.x;
  if (i == 0) {
    init(&barrier, 64);
    init(&counting, 48, Count{&calls});
    calls = 0;
  }
  __syncthreads();
  if (i >= 48) return barrier.arrive_and_drop();
  if (i == 0) produced = 7;
  if (i < 32) static_cast<void>(barrier.arrive());
  else barrier.arrive_and_wait();
  CHECK(i < 32 || produced == 7);
  if (i < 32) barrier.wait_parity(false);  // the first phase has the number 0
  barrier.arrive_and_wait();  // 48 are left
  for (int phase = 1; phase <= 3; ++phase) {  // a completion runs once, before anyone goes on
    counting.arrive_and_wait();
    CHECK(calls == phase);
    barrier.arrive_and_wait();
  }
}
/// Hands stages from producers to consumers; without producers, all do both.
template <unsigned kProducers>
__global__ void pipelines(const int* in) {
  constexpr int kStages = 2, kBatches = 7;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int buffer[64 * kStages];
  const cg::thread_block block = cg::this_thread_block();
  const auto half = cg::tiled_partition<32>(block);
  auto pipe = kProducers == 0 ? cuda::make_pipeline(block, &state) : cuda::make_pipeline(block, &state, kProducers);
  const bool produces = kProducers == 0 || threadIdx.x < kProducers, consumes = kProducers == 0 || threadIdx.x >= kProducers;
  for (int batch = 0; batch < kBatches; ++batch) {
    int* const stage = buffer + batch % kStages * 64;
    if (produces) {
      pipe.producer_acquire();
      if (kProducers == 0) cuda::memcpy_async(block, stage, in + batch * 64, 64 * sizeof(int), pipe);
      else cuda::memcpy_async(half, stage, in + batch * 64, 64 * sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (!consumes) continue;
    pipe.consumer_wait();
    for (int i = 0; i < 64; ++i) CHECK(stage[i] == batch * 64 + i);
    pipe.consumer_release();
  }
}
__global__ void pipelineOfAThread(const int* in) {
  __shared__ int out[4];
  out[3] = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&out[0], &in[0], cuda::aligned_size_t<8>(8), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __pipeline_memcpy_async(&out[2], &in[2], 8, 4);  // the last four bytes become zero
  __pipeline_commit();
  __pipeline_wait_prior(0);
  CHECK(out[0] == 0 && out[1] == 1 && out[2] == 2 && out[3] == 0);
}

__device__ cuda::atomic<int, cuda::thread_scope_device> total;
__device__ cuda::std::atomic<bool> ready;
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> permit(1);
__device__ int plain, inTurn;
__global__ void objects() {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latch[sizeof(Latch)];
  __shared__ unsigned arrived[64];
  if (threadIdx.x == 0) {
    new (latch) Latch(64);
    permit.acquire();
    inTurn = inTurn + 1;
    permit.release();
  }
  __syncthreads();
  arrived[threadIdx.x] = threadIdx.x;
  reinterpret_cast<Latch*>(latch)->arrive_and_wait();
  CHECK(arrived[63 - threadIdx.x] == 63 - threadIdx.x);
  total.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int> reference(plain);
  ++reference;
  reference.fetch_max(threadIdx.x);
}
__global__ void waits() {
  if (threadIdx.x == 0) ready.wait(false);
  if (threadIdx.x == 1)
    while (!ready.load(cuda::memory_order_acquire)) {
    }
  if (threadIdx.x == 63) ready.store(true, cuda::std::memory_order_release);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int expected = 3;
  CHECK(inTurn == 8);
  CHECK(ranks.load() == 4 * 496 && numbered.load() == 128 && total.load() == 1024 && plain >= 63 && !total.compare_exchange_strong(expected, 4) && expected == 1024);
  CHECK(total.exchange(5) == 1024 && (total += 2) == 7 && cuda::std::get<1>(cuda::std::make_tuple(1, 2)) == 2);
}

int main() {
  int numbers[64 * 7], *device;
  for (int i = 0; i < 64 * 7; ++i) numbers[i] = i;
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  short* stored;
  cudaMalloc(&stored, sizeof(short));
  bits<<<1, 128>>>();
  integers<<<1, 1>>>();
  conversions<<<1, 1>>>(stored);
  mathematics<<<1, 1>>>();
  randomNumbers<<<1, 1>>>();
  halves<<<64, 256>>>();
  directions<<<8, 256>>>();
  everyNumber<Half><<<256, 256>>>();
  everyNumber<BFloat><<<256, 256>>>();
  smallFloats<<<1, 1>>>();
  lanes<<<1, 32>>>();
  atomics<<<1, 1>>>();
  sums<<<16, 64>>>();
  checkSums<<<1, 1>>>();
  places<<<dim3(2, 3), dim3(8, 4, 2)>>>();
  tiles<<<1, 128>>>();
  together<<<1, 64>>>();
  lambdas<<<1, 32>>>();
  barriers<<<1, 64>>>();
  pipelines<0><<<1, 64>>>(device);
  pipelines<32><<<1, 64>>>(device);
  pipelineOfAThread<<<1, 1>>>(device);
  objects<<<8, 64>>>();
  waits<<<1, 64>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  for (const unsigned long long sum : sumsOfHalves) printf("%llx ", sum);
  printf("%s\n", cudaGetErrorName(error));
  cudaFree(device);
  cudaFree(stored);
}
// prints: 201b502a614e 22ebb3712104 202b6350ab65 1fe663eb0fed 1fe41230b708 cudaSuccess
