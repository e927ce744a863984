// Sums pulls of sources that do not fit on the device: nvcc -arch=native pipeline.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "pipeline.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kTargets = 128, kChunk = 256;  // the device has memory for two chunks of sources

/// Returns the softened potential of a source at a target.
__host__ __device__ float potential(float4 target, float4 source) {
  const float x = source.x - target.x, y = source.y - target.y, z = source.z - target.z;
  return -source.w / sqrtf(x * x + y * y + z * z + 0.01f);
}

/// Thread i adds the potentials of a chunk's sources at target i.
__global__ void addKernel(const float4* targets, const float4* sources, int count, float* sums) {
  float sum = sums[threadIdx.x];
  for (int j = 0; j < count; ++j) sum += potential(targets[threadIdx.x], sources[j]);
  sums[threadIdx.x] = sum;
}

/// Adds the potentials of all sources to \p sums.
/// \param sources  \p count elements of pinned host memory
/// \param buffers  two chunks on the device; \p targets, \p sums: on the device, kTargets each
void addAll(const float4* sources,
            int count,
            float4* const* buffers,
            const float4* targets,
            float* sums) {
  // TODO 8.5: the device waits while a chunk travels, and the link while it is summed
  for (int begin = 0; begin < count; begin += kChunk) {
    const int size = count - begin < kChunk ? count - begin : kChunk;
    CUDA_CHECK(
        cudaMemcpy(buffers[0], sources + begin, size * sizeof(float4), cudaMemcpyHostToDevice));
    addKernel<<<1, kTargets>>>(targets, buffers[0], size, sums);
    CUDA_CHECK(cudaGetLastError());
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: pipeline [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::uniform_real_distribution<float> unit;
  const auto body = [&] { return float4{unit(random), unit(random), unit(random), 1.0f / count}; };
  float4 *sources, *targets, *buffers[2];
  float* sums;
  CUDA_CHECK(
      cudaMallocHost(&sources,
                     count * sizeof(float4)));  // pinned: a copy from it need not be waited for
  CUDA_CHECK(cudaMallocManaged(&targets, kTargets * sizeof(float4)));
  CUDA_CHECK(cudaMallocManaged(&sums, kTargets * sizeof(float)));
  for (float4*& buffer : buffers) CUDA_CHECK(cudaMalloc(&buffer, kChunk * sizeof(float4)));
  std::generate_n(sources, count, body);
  std::generate_n(targets, kTargets, body);
  std::fill_n(sums, kTargets, 0.0f);
  addAll(sources, count, buffers, targets, sums);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kTargets; ++i) {
    double expected = 0;
    for (int j = 0; j < count; ++j) expected += potential(targets[i], sources[j]);
    if (!(std::abs(sums[i] - expected) <= 1e-4 * std::abs(expected)))
      return std::fprintf(stderr, "wrong: the potential at target %d\n", i), 1;
  }
  for (float4* memory : {targets, buffers[0], buffers[1]}) CUDA_CHECK(cudaFree(memory));
  CUDA_CHECK(cudaFree(sums));
  CUDA_CHECK(cudaFreeHost(sources));
  std::printf("the potentials of %d sources are correct\n", count);
}
