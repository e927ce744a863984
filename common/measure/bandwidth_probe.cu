// The ceilings of shared memory, the L2 cache and device memory.
#include "cuda/cuda.hpp"
#include "measure/bandwidth.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr int kBlock = 256;
constexpr int kReads = 16;  // in an iteration, so that the loop's own instructions are few
constexpr int kRow = 16;  // from one read to the next
constexpr int kTile = kBlock + (kReads - 1) * kRow;  // float4: 7,936 bytes a block

__host__ __device__ inline float valueAt(long long i) { return static_cast<float>(i % 8); }

__device__ inline float added(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/// values[i], of length count: i % 8 in each component, so that sums are exact.
__global__ void fillKernel(float4* values, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    values[i] = {valueAt(i), valueAt(i), valueAt(i), valueAt(i)};
}

/// Every thread reads iterations * kReads times 16 bytes of its block's tile. Neighbours read next
/// to each other: no bank conflict. sums: one of each thread.
__global__ void sharedKernel(int iterations, float* sums) {
  __shared__ float4 tile[kTile];
  for (int i = threadIdx.x; i < kTile; i += kBlock)
    tile[i] = {valueAt(i), valueAt(i), valueAt(i), valueAt(i)};
  __syncthreads();  // the tile is written before it is read
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
    const float4* row = &tile[(threadIdx.x + k) % kBlock];
#pragma unroll
    for (int u = 0; u < kReads; ++u) sum += added(row[u * kRow]);
  }
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

/// All threads together read values, of length count, passes times, past the L1 cache. sums: one of
/// each thread.
__global__ void readKernel(const float4* values, long long count, int passes, float* sums) {
  const long long first = blockIdx.x * kBlock + threadIdx.x;
  const long long stride = static_cast<long long>(gridDim.x) * kBlock;
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll 4
    for (long long i = first; i < count; i += stride) sum += added(__ldcg(&values[i]));
  }
  sums[first] = sum;
}

double total(const DeviceArray<float>& sums) {
  double all = 0;
  for (float sum : sums.download()) all += sum;
  return all;
}

double expectedOfShared(const ProbeSizes& sizes) {
  double all = 0;
  for (int thread = 0; thread < kBlock; ++thread)
    for (int k = 0; k < sizes.sharedIterations; ++k)
      for (int u = 0; u < kReads; ++u) all += 4 * valueAt((thread + k) % kBlock + u * kRow);
  return all * sizes.blocks;
}

/// \param run  launches the probe once, which leaves its sums
Bandwidth measured(const char* memory, long long bytes, double expected,
                   const DeviceArray<float>& sums, [[maybe_unused]] int repeats,
                   const std::function<void()>& run) {
  run();
  Bandwidth found{.memory = memory, .bytes = bytes, .right = total(sums) == expected};
#ifdef NBODY_GPU
  found.gbPerS = static_cast<double>(bytes) * 1e-6 / timeOnDevice(run, repeats).median;
#endif
  return found;
}

Bandwidth readBandwidth(const char* memory, long long bytes, int passes, DeviceArray<float>& sums,
                        int repeats) {
  const auto blocks = static_cast<unsigned>(sums.size() / kBlock);
  const long long count = bytes / static_cast<long long>(sizeof(float4));
  DeviceArray<float4> values(count, "values of a bandwidth probe");
  fillKernel<<<blocks, kBlock, 0, stream()>>>(values.data(), count);
  CUDA_CHECK(cudaGetLastError());
  double expected = 0;
  for (long long i = 0; i < count; ++i) expected += 4 * valueAt(i);
  return measured(memory, bytes * passes, expected * passes, sums, repeats, [&] {
    readKernel<<<blocks, kBlock, 0, stream()>>>(values.data(), count, passes, sums.data());
    CUDA_CHECK(cudaGetLastError());
  });
}

}  // namespace

ProbeSizes probeSizes() {
#ifdef NBODY_GPU
  int id = 0;
  CUDA_CHECK(cudaGetDevice(&id));
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, id));
  const int perMultiprocessor = device.maxThreadsPerMultiProcessor / kBlock;
  return {.blocks = device.multiProcessorCount * perMultiprocessor,
          .sharedIterations = 2048,
          .cachedBytes = device.l2CacheSize / 4,
          .passes = 32,
          .farBytes = 16LL * device.l2CacheSize};
#else
  return {.blocks = 3, .sharedIterations = 3, .cachedBytes = 16000, .passes = 2, .farBytes = 48000};
#endif
}

std::vector<Bandwidth> probeBandwidths(const ProbeSizes& sizes, int repeats) {
  DeviceArray<float> sums(static_cast<std::size_t>(sizes.blocks) * kBlock, "bandwidth probe sums");
  const long long sharedBytes = 1LL * sizes.blocks * kBlock * sizes.sharedIterations * kReads *
                                static_cast<long long>(sizeof(float4));
  const auto readShared = [&] {
    sharedKernel<<<static_cast<unsigned>(sizes.blocks), kBlock, 0, stream()>>>(
        sizes.sharedIterations, sums.data());
    CUDA_CHECK(cudaGetLastError());
  };
  return {measured("shared", sharedBytes, expectedOfShared(sizes), sums, repeats, readShared),
          readBandwidth("l2", sizes.cachedBytes, sizes.passes, sums, repeats),
          readBandwidth("dram", sizes.farBytes, 1, sums, repeats)};
}

}  // namespace nbody
