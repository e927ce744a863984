// Tests what a kernel can call, on a GPU or the executor: warp functions, atomics and tensor cores.
#include <cuda_fp16.h>

#include "cuda/tensor_cores.cuh"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

struct WarpResults {
  int broadcast, neighbour, up, down, narrow, ballot, any, all, odd;
  float half;
  double pair;
};

__global__ void warpKernel(WarpResults* out) {
  const int lane = threadIdx.x % 32;
  WarpResults r;
  r.broadcast = __shfl_sync(kAllLanes, 10 * lane, 7);
  r.neighbour = __shfl_xor_sync(kAllLanes, 10 * lane, 1);
  r.up = __shfl_up_sync(kAllLanes, 10 * lane, 3u);
  r.down = __shfl_down_sync(kAllLanes, 10 * lane, 3u);
  r.narrow = __shfl_sync(kAllLanes, 10 * lane, 9, 8);
  r.ballot = __ballot_sync(kAllLanes, lane % 3 == 0);
  r.any = __any_sync(kAllLanes, lane == 31);
  r.all = __all_sync(kAllLanes, lane != 31);
  r.half = __shfl_xor_sync(kAllLanes, 0.5f * lane, 16);
  r.pair = __shfl_xor_sync(kAllLanes, 0.25 * lane, 2);
  r.odd = 0;
  if (lane % 2 == 1) r.odd = __shfl_xor_sync(0xaaaaaaaau, lane, 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = r;
}

struct Sums {
  int ints;
  unsigned most;
  int least;
  float floats;
  double doubles;
  float4 vector;
  int owner;
  unsigned long long wide;
};

__global__ void atomicKernel(Sums* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums->ints, i);
  atomicMax(&sums->most, static_cast<unsigned>(i));
  atomicMin(&sums->least, -i);
  atomicAdd(&sums->floats, 1.0f);
  atomicAdd(&sums->doubles, 0.5);
  atomicAdd(&sums->vector, make_float4(1, 2, 3, 4));
  atomicCAS(&sums->owner, -1, i);
  atomicAdd(&sums->wide, 1ULL << 33);
}

__global__ void exchangeKernel(int* slot, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      atomicExch(slot, blockIdx.x * blockDim.x + threadIdx.x);
}

/// Two neighbours as FP16 in a register.
__device__ unsigned halves(const float* at) {
  return __half_as_ushort(__float2half(at[0])) | unsigned{__half_as_ushort(__float2half(at[1]))}
                                                     << 16;
}

/// D += A B of 16 x 16 and 16 x 8 numbers in FP16; A row by row, B column by column.
__global__ void halvesKernel(const float* a, const float* b, float* d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  unsigned first[4], second[2];
  float sum[4];
  for (int r = 0; r < 4; ++r) first[r] = halves(a + (g + 8 * (r % 2)) * 16 + 2 * t + 8 * (r / 2));
  for (int r = 0; r < 2; ++r) second[r] = halves(b + g * 16 + 2 * t + 8 * r);
  for (int r = 0; r < 4; ++r) sum[r] = d[(g + 8 * (r / 2)) * 8 + 2 * t + r % 2];
  multiplyHalves(sum, first, second);
  for (int r = 0; r < 4; ++r) d[(g + 8 * (r / 2)) * 8 + 2 * t + r % 2] = sum[r];
}

/// D = A B of 16 x 8 and 8 x 8 numbers in TF32; A row by row, B column by column.
template <bool kRounds>
__global__ void tf32Kernel(const float* a, const float* b, float* d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const auto number = [](float x) { return kRounds ? toTf32(x) : __float_as_uint(x); };
  unsigned first[4], second[2];
  float sum[4] = {};
  for (int r = 0; r < 4; ++r) first[r] = number(a[(g + 8 * (r % 2)) * 8 + t + 4 * (r / 2)]);
  for (int r = 0; r < 2; ++r) second[r] = number(b[g * 8 + t + 4 * r]);
  multiplyTf32(sum, first, second);
  for (int r = 0; r < 4; ++r) d[(g + 8 * (r / 2)) * 8 + 2 * t + r % 2] = sum[r];
}

__global__ void transposeKernel(unsigned* out) {
  const unsigned first = 2 * threadIdx.x;  // element number 8 row + column
  out[threadIdx.x] = transposedHalves(first | (first + 1) << 16);
}

/// Numbers of both signs that FP16 and TF32 hold, or with \p more bits do not.
std::vector<float> numbers(int count, float more = 0) {
  std::vector<float> all(count);
  for (int i = 0; i < count; ++i)
    all[i] =
        static_cast<float>((37 * i) % 41 - 20) / 8 * (1 + more * static_cast<float>(i % 7 + 1));
  return all;
}

/// The result of \p kernel for A of 16 rows and B of 8 columns, and for D of ones.
template <class Kernel>
std::vector<float> productBy(Kernel kernel, const std::vector<float>& a,
                             const std::vector<float>& b) {
  DeviceArray<float> first(a.size(), "a"), second(b.size(), "b"), sums(128, "d");
  first.upload(a);
  second.upload(b);
  sums.upload(std::vector<float>(128, 1));
  launch({1, 32}, kernel, first.data(), second.data(), sums.data());
  return sums.download();
}

double productOf(const std::vector<float>& a, const std::vector<float>& b, int row, int column) {
  const int depth = static_cast<int>(a.size()) / 16;
  double sum = 0;
  for (int k = 0; k < depth; ++k) sum += double{a[row * depth + k]} * b[column * depth + k];
  return sum;
}

bool hasTensorCores() {
#ifdef NBODY_GPU
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  return properties.major >= 8;
#else
  return true;
#endif
}

}  // namespace

TEST_CASE("tensor cores multiply matrices of FP16 numbers exactly") {
  if (!hasTensorCores()) return;
  const auto a = numbers(256), b = numbers(128);
  inEveryOrder([&] {
    const auto got = productBy(halvesKernel, a, b);
    for (int i = 0; i < 128; ++i)
      REQUIRE(got[i] == static_cast<float>(1 + productOf(a, b, i / 8, i % 8)));
  });
}

TEST_CASE("tensor cores cut TF32 numbers to 10 bits, and rounding them first takes the bias away") {
  if (!hasTensorCores()) return;
  const auto exact = numbers(128), other = numbers(64);
  const auto got = productBy(tf32Kernel<false>, exact, other);
  for (int i = 0; i < 128; ++i)
    REQUIRE(got[i] == static_cast<float>(productOf(exact, other, i / 8, i % 8)));
  // All positive, so that the errors do not cancel.
  std::vector<float> a = numbers(128, 0x1p-11f), b = numbers(64, 0x1p-12f);
  for (auto* all : {&a, &b})
    for (float& x : *all) x = std::abs(x) + 1;
  const auto meanErrorBy = [&](auto kernel) {
    const auto sums = productBy(kernel, a, b);
    double error = 0;
    for (int i = 0; i < 128; ++i) error += sums[i] / productOf(a, b, i / 8, i % 8) - 1;
    return error / 128;
  };
  const double cut = meanErrorBy(tf32Kernel<false>), rounded = meanErrorBy(tf32Kernel<true>);
  INFO("cut " << cut << ", rounded " << rounded);
  CHECK(cut < -1e-4);
  CHECK(std::abs(rounded) < -cut / 3);
}

TEST_CASE("movmatrix transposes an 8 x 8 matrix") {
  if (!hasTensorCores()) return;
  const auto got = leftBy(transposeKernel, 32, {1, 32});
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned row = lane / 4, column = 2 * (lane % 4);
    REQUIRE(got[lane] == (8 * column + row | (8 * (column + 1) + row) << 16));
  }
}

TEST_CASE("shuffles and votes") {
  inEveryOrder([] {
    const auto got = leftBy(warpKernel, 128, {2, 64});
    for (int i = 0; i < 128; ++i) {
      const int lane = i % 32;
      INFO("lane " << lane);
      REQUIRE(got[i].broadcast == 70);
      REQUIRE(got[i].neighbour == 10 * (lane ^ 1));
      REQUIRE(got[i].up == 10 * (lane < 3 ? lane : lane - 3));
      REQUIRE(got[i].down == 10 * (lane > 28 ? lane : lane + 3));
      REQUIRE(got[i].narrow == 10 * (lane / 8 * 8 + 1));
      REQUIRE(static_cast<unsigned>(got[i].ballot) == 0x49249249u);
      REQUIRE(got[i].any == 1);
      REQUIRE(got[i].all == 0);
      REQUIRE(got[i].half == 0.5f * (lane ^ 16));
      REQUIRE(got[i].pair == 0.25 * (lane ^ 2));
      REQUIRE(got[i].odd == (lane % 2 == 1 ? lane ^ 2 : 0));
    }
  });
}

TEST_CASE("atomics lose nothing between threads and blocks") {
  inEveryOrder([] {
    constexpr int kThreads = 40 * 256;
    DeviceArray<Sums> sums(1, "sums");
    sums.upload({Sums{0, 0, 0, 0, 0, {0, 0, 0, 0}, -1, 0}});
    launch({40, 256}, atomicKernel, sums.data());
    const Sums got = sums.download()[0];
    REQUIRE(got.ints == kThreads / 2 * (kThreads - 1));
    REQUIRE(got.most == kThreads - 1);
    REQUIRE(got.least == -(kThreads - 1));
    REQUIRE(got.floats == kThreads);
    REQUIRE(got.doubles == kThreads / 2);
    REQUIRE(got.vector.x == kThreads);
    REQUIRE(got.vector.w == 4 * kThreads);
    REQUIRE(got.owner >= 0);
    REQUIRE(got.owner < kThreads);
    REQUIRE(got.wide == (1ULL << 33) * kThreads);
  });
}

TEST_CASE("an exchange gives every value out once") {
  inEveryOrder([] {
    DeviceArray<int> slot(1, "slot");
    DeviceArray<int> out(512, "out");
    slot.upload({-1});
    launch({4, 128}, exchangeKernel, slot.data(), out.data());
    std::vector<int> seen(513, 0);
    for (int value : out.download()) ++seen[value + 1];
    ++seen[slot.download()[0] + 1];
    REQUIRE(seen == std::vector<int>(513, 1));
  });
}
