// Kernels with a planted bug each: what the checker must say of them, in every order of threads.
#include "catch.hpp"
#include "cuda/cuda.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr int kBlock = 64;

__global__ void noBarrierAfterFillKernel(const float4* in, float* out) {
  float4* tile = dynamicShared<float4>();
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x].y;
}
constexpr int kFillLine = __LINE__ - 3;

__global__ void noBarrierBeforeRefillKernel(const float4* in, float* out) {
  float4* tile = dynamicShared<float4>();
  float sum = 0;
  for (int first = 0; first < 3 * kBlock; first += kBlock) {
    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kBlock; ++k) sum += tile[k].x;
  }
  out[threadIdx.x] = sum;
}
constexpr int kRefillLine = __LINE__ - 6;

__global__ void reductionWithoutBarrierKernel(float* out) {
  __shared__ float part[kBlock];
  part[threadIdx.x] = 1;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[0] = part[0];
}

__global__ void noWarpBarrierKernel(float* out) {
  __shared__ float part[32];
  part[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = part[31 - threadIdx.x];
}
constexpr int kLaneLine = __LINE__ - 3;

__global__ void blocksShareSumKernel(float* sum) {
  if (threadIdx.x == 0) *sum += 1;
}
constexpr int kSumLine = __LINE__ - 2;

__global__ void halfAtomicKernel(int* sum) {
  if (threadIdx.x == 0) sum[0] = 0;
  atomicAdd(&sum[0], 1);
}
constexpr int kHalfAtomicLine = __LINE__ - 3;

/// All reports of \p work; empty where there is none.
std::string reportsOf(const std::function<void()>& work) {
  executor::options().printReports = false;
  std::string reports;
  try {
    work();
  } catch (const executor::KernelError& error) {
    reports = error.reports;
  }
  executor::options().printReports = true;
  return reports;
}

std::string line(int number) { return "tests/checker_test.cu:" + std::to_string(number); }

int countOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("try") {
  DeviceArray<float4> in(3 * kBlock, "in");
  DeviceArray<float> out(kBlock, "out");
  DeviceArray<int> sum(1, "sum");
  in.clear();
  out.clear();
  std::puts(reportsOf([&] {
              launch({1, kBlock, kBlock * 16}, noBarrierAfterFillKernel, in.data(), out.data());
            }).c_str());
  std::puts(
      reportsOf([&] {
        launch({1, kBlock, kBlock * 16 - 16}, noBarrierAfterFillKernel, in.data(), out.data());
      }).c_str());
  std::puts(reportsOf([&] {
              launch({1, kBlock + 1, kBlock * 32}, noBarrierAfterFillKernel, in.data(), out.data());
            }).c_str());
  std::puts(reportsOf([&] {
              launch({1, kBlock, kBlock * 16}, noBarrierBeforeRefillKernel, in.data(), out.data());
            }).c_str());
  std::puts(reportsOf([&] {
              launch({1, kBlock}, reductionWithoutBarrierKernel, out.data());
            }).c_str());
  std::puts(reportsOf([&] { launch({1, kBlock}, noWarpBarrierKernel, out.data()); }).c_str());
  std::puts(reportsOf([&] { launch({1, 32}, noWarpBarrierKernel, out.data()); }).c_str());
  std::puts(reportsOf([&] { launch({3, 32}, blocksShareSumKernel, out.data()); }).c_str());
  std::puts(reportsOf([&] { launch({1, 64}, halfAtomicKernel, sum.data()); }).c_str());
}
