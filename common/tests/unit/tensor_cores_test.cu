// Tests what a kernel can do with tensor cores, on a GPU or the executor.
#include <cuda_fp16.h>

#include "cuda/tensor_cores.cuh"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

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
