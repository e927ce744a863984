// Functions that kernels call: intrinsics, half, warp functions, groups. nvcc compiles it too, and a GPU must print
// the same.
// orders: forward reverse random:1
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>

namespace cg = cooperative_groups;

__device__ unsigned hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

__managed__ unsigned long long sumsOfHalves[8], sumsOfWords[6];
__managed__ int wrong, total;

/// Sums of bits over many arguments: one wrong result changes them.
__global__ void halves(unsigned long long* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = hash(i), s = hash(r);
  const __half a = __ushort_as_half(r), b = __ushort_as_half(r >> 16), c = __ushort_as_half(s);
  const __nv_bfloat16 d = __ushort_as_bfloat16(r), e = __ushort_as_bfloat16(r >> 16),
                      f = __ushort_as_bfloat16(s);
  const auto add = [&](int k, unsigned bits) {
    atomicAdd(&sums[k], (unsigned long long)hash(bits));
  };
  const auto known = [](__half x) { return __hisnan(x) ? 0x7fffu : __half_as_ushort(x); };
  const auto knownB = [](__nv_bfloat16 x) {
    return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x);
  };
  add(0, known(__hadd(a, b)) + known(__hsub(a, c)) * 65536u);
  add(1, known(__hmul(a, b)) + known(__hfma(a, b, c)) * 65536u);
  add(2, known(__hmax(a, b)) + known(__hmin(a, b)) * 65536u);
  add(3, knownB(__hadd(d, e)) + knownB(__hmul(d, e)) * 65536u);
  add(4, knownB(__hfma(d, e, f)) + knownB(__float2bfloat16(__uint_as_float(s))) * 65536u);
  add(5, known(__float2half_ru(__uint_as_float(s))) +
             known(__float2half_rz(__uint_as_float(r))) * 65536u);
  add(6, (unsigned)__half2int_rn(a) + (unsigned)__half2short_rd(b) * 65536u);
  add(7, __hltu(a, b) + 2 * __hne(a, c) + 4 * __hge(b, c) + 8 * __heq(a, a));
}

__global__ void words(unsigned long long* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = hash(i), y = hash(x), z = hash(y);
  const float u = __uint_as_float(x & 0xbfffffffu), v = __uint_as_float(y & 0xbfffffffu);
  const auto add = [&](int k, unsigned bits) {
    atomicAdd(&sums[k], (unsigned long long)hash(bits));
  };
  const auto known = [](float x) { return isnan(x) ? 1u : __float_as_uint(x); };
  add(0, __byte_perm(x, y, z) ^ __brev(x) ^ __funnelshift_lc(x, y, z & 63) ^ __umulhi(y, z));
  add(1, __sad((int)x, (int)y, z) ^ (unsigned)__mul24(x, y));
  add(2, known(__fadd_rz(u, v)) ^ known(__fmul_ru(u, v)) ^ known(__fdiv_rd(u, v)));
  add(3, known(__fsqrt_ru(fabsf(u))) ^ known(__frcp_rz(v)) ^ known(__fmaf_rd(u, v, u)));
  add(4, (unsigned)__float2int_rn(u) ^ __float2uint_ru(v) ^ (unsigned)__float2ll_rd(u));
  add(5, (unsigned)__double2hiint(__dmul_ru(u, v)) ^ (unsigned)__double2loint(__dadd_rd(u, v)));
}

__global__ void field() {
  unsigned bits;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bits) : "r"(0xdeadbeefu), "r"(8), "r"(12));
  printf("%x\n", bits);
}

__global__ void mathematics() {
  const float three[3] = {2, 3, 6};
  float sine, cosine;
  sincospif(0.5f, &sine, &cosine);
  printf("lengths %g %g %g %g | %g %g\n", norm3df(2, 3, 6), normf(3, three), norm4d(1, 1, 1, 1),
         rhypotf(3, 4), sine, cosine);
  printf("inverses %.6f %.6f %.6f %.6f\n", erfinv(0.5), erfcinv(1e-10), normcdfinv(0.975),
         erfcx(30.0) * 10);
  printf("others %.6f %.6f %.6f %g %g\n", normcdf(1.0), cyl_bessel_i0(1.0), cyl_bessel_i1f(-1.0f),
         cospi(1.0), rcbrt(8.0));
  const cuDoubleComplex i = make_cuDoubleComplex(0, 1), z = cuCdiv(make_cuDoubleComplex(2, 4), i);
  printf("complex %g %g %g\n", cuCreal(z), cuCimag(z), cuCabsf(make_cuComplex(3, 4)));
  printf("packed %x %x %x %d\n", __vadd4(0x01ff7f80u, 0x01020304u),
         __vmaxs4(0xff017f80u, 0x00000000u), __vaddss2(0x7fff8000u, 0x00018000u),
         __dp4a(0x01ff0201, 0x01010101, 2));
}

/// Counter 0 and key 0 have the numbers that Philox's authors print.
__global__ void numbers() {
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, 0, &philox);
  const uint4 first = curand4(&philox);
  printf("philox %08x %08x %08x %08x\n", first.x, first.y, first.z, first.w);
  curandState one, other;
  curand_init(7, 3, 1000, &one);
  curand_init(7, 3, 0, &other);
  for (int i = 0; i < 1000; ++i) curand(&other);
  skipahead(5, &one);
  for (int i = 0; i < 5; ++i) curand(&other);
  double sums[3] = {}, draws = 4000;
  const bool same = curand(&one) == curand(&other);
  for (int i = 0; i < draws; ++i) {
    const double normal = curand_normal(&one);
    sums[0] += curand_uniform(&one), sums[1] += normal, sums[2] += normal * normal;
  }
  printf("xorwow %d %d %d %d\n", same, fabs(sums[0] / draws - 0.5) < 0.02,
         fabs(sums[1] / draws) < 0.06, fabs(sums[2] / draws - 1) < 0.1);
}

__device__ cuda::atomic<int, cuda::thread_scope_device> ranks, places;
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> permit(1);
__device__ int inTurn;
__managed__ __half2 pair;

__global__ void groups() {
  __shared__ int tile[128], copy[128];
  const cg::thread_block block = cg::this_thread_block();
  const int i = block.thread_rank();
  int bad = 0;
  const auto warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  bad += four.meta_group_rank() != i % 32 / 4 || four.shfl(i, 1) != i / 4 * 4 + 1;
  bad += warp.ballot(i % 32 == 7) != 1u << 7 ||
         warp.match_any(i % 2) != (i % 2 ? 0xaaaaaaaau : 0x55555555u);
  bad += cg::reduce(warp, i, cg::plus<int>()) != i / 32 * 1024 + 496;
  bad += cg::inclusive_scan(warp, 2) != 2 * (i % 32 + 1) || cg::exclusive_scan(warp, 1) != i % 32;
  bad += __shfl_sync(~0u, i, 9, 8) != i / 8 * 8 + 1 ||
         __shfl_xor_sync(~0u, 0.5 * i, 2) != 0.5 * (i ^ 2);
  bad += __shfl_up_sync(~0u, i, 3) != (i % 32 < 3 ? i : i - 3) ||
         __ballot_sync(~0u, i % 8 == 7) != 0x80808080u;
  bad += __any_sync(~0u, i % 32 == 31) != 1 || __all_sync(~0u, i % 32 != 31) != 0;
  if (i % 32 < 20) {
    const auto some = cg::coalesced_threads();
    bad += some.size() != 20 || some.shfl(i % 32, 19) != 19;
    const auto part = cg::binary_partition(some, i % 3 == 0);
    bad += part.size() == 0 || part.meta_group_size() != 2;
    const auto alike = cg::labeled_partition(some, i % 32 / 8);
    bad += alike.size() != (i % 32 < 16 ? 8 : 4);
  }
  cg::reduce_update_async(warp, ranks, i % 32, cg::plus<int>());
  const int place = cg::exclusive_scan_update(warp, places, 1, cg::plus<int>());
  bad += place % 32 != i % 32 || cg::invoke_one_broadcast(warp, [] { return 5; }) != 5;
  cg::invoke_one(block, [&] { bad += i != 0 || block.group_dim().x != 128; });
  tile[i] = i;
  block.sync();
  cg::memcpy_async(block, copy, tile, sizeof tile);
  cg::wait(block);
  bad += copy[127 - i] != 127 - i;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latch[sizeof(Latch)];
  if (i == 0) new (latch) Latch(128);
  block.sync();
  tile[i] = -i;
  reinterpret_cast<Latch*>(latch)->arrive_and_wait();
  bad += tile[127 - i] != i - 127;
  if (i == 0) {
    permit.acquire();
    inTurn = inTurn + 1;
    permit.release();
  }
  atomicAdd(&pair, __floats2half2_rn(1, 0.5f));
  if (warp.thread_rank() == 0) atomicAdd(&total, 1);
  bad += __syncthreads_count(i < 5) != 5 || !__syncthreads_or(i == 9) || __syncthreads_and(i != 9);
  bad += __reduce_max_sync(~0u, i) != i / 32 * 32 + 31 || __match_any_sync(~0u, i / 16) == 0;
  atomicAdd(&wrong, bad);
}

template <class Kernel>
static void print(const char* name, Kernel kernel, unsigned long long* sums, int count) {
  kernel<<<64, 256>>>(sums);
  cudaDeviceSynchronize();
  for (int k = 0; k < count; ++k) printf("%s %d %016llx\n", name, k, sums[k]);
}

int main() {
  print("halves", halves, sumsOfHalves, 8);
  print("words", words, sumsOfWords, 6);
  field<<<1, 1>>>();
  mathematics<<<1, 1>>>();
  numbers<<<1, 1>>>();
  groups<<<3, 128>>>();
  cudaDeviceSynchronize();
  int sums[2];
  cudaMemcpyFromSymbol(&sums[0], ranks, sizeof(int));
  cudaMemcpyFromSymbol(&sums[1], places, sizeof(int));
  printf("sums of groups %d %d\n", sums[0], sums[1]);
  cudaMemcpyFromSymbol(&sums[0], inTurn, sizeof(int));
  printf("in turn %d, pair %g %g\n", sums[0], __low2float(pair), __high2float(pair));
  printf("%d wrong, %d warps, %s\n", wrong, total, cudaGetErrorName(cudaGetLastError()));
}
// prints: halves 0 0000201b502a614e
// prints: halves 1 000022ebb3712104
// prints: halves 2 0000202b6350ab65
// prints: halves 3 00001fe663eb0fed
// prints: halves 4 00001fe41230b708
// prints: halves 5 00001e2dd7cecada
// prints: halves 6 00001a081580468e
// prints: halves 7 000029631bef0b51
// prints: words 0 0000202ba42e5cba
// prints: words 1 00001fea89185dc4
// prints: words 2 00001fddbc8647e9
// prints: words 3 00001fee47dae6dd
// prints: words 4 0000163a51410ada
// prints: words 5 00002043d38fa7dc
// prints: dbe
// prints: lengths 7 7 2 0.2 | 1 0
// prints: inverses 0.476936 4.572825 1.959964 0.187959
// prints: others 0.841345 1.266066 -0.565159 -1 0.5
// prints: complex 4 -2 5
// prints: packed 2018284 17f00 7fff8000 5
// prints: philox 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// prints: xorwow 1 1 1 1
// prints: sums of groups 5952 384
// prints: in turn 3, pair 384 192
// prints: 0 wrong, 12 warps, cudaSuccess
