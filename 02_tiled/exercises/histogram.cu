// Counts the bodies of each octant: nvcc -arch=native histogram.cu && ./a.out [N [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "histogram.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kOctants = 8, kThreads = 128, kBlocks = 8;

/// Each thread counts in its own column, so no two threads use the same counter.
__global__ void histogramKernel(const int* octants, int count, int* histogram) {
  __shared__ int counters[kOctants][kThreads];
  for (int b = 0; b < kOctants; ++b) counters[b][threadIdx.x] = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads)
    ++counters[octants[i]][threadIdx.x];
  __syncthreads();  // all counters are final before any thread adds them up
  for (int b = threadIdx.x / 32; b < kOctants; b += kThreads / 32) {
    int sum = 0;
    for (int k = threadIdx.x % 32; k < kThreads; k += 32) sum += counters[b][k];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(&histogram[b], sum);
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: histogram [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::vector<int> octants(count), expected(kOctants), histogram(kOctants);
  for (int& octant : octants) ++expected[octant = random() % kOctants];

  int *deviceOctants, *deviceHistogram;
  const std::size_t bytes = count * sizeof(int), bytesOfHistogram = kOctants * sizeof(int);
  CUDA_CHECK(cudaMalloc(&deviceOctants, bytes));
  CUDA_CHECK(cudaMalloc(&deviceHistogram, bytesOfHistogram));
  CUDA_CHECK(cudaMemcpy(deviceOctants, octants.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(deviceHistogram, 0, bytesOfHistogram));
  histogramKernel<<<kBlocks, kThreads>>>(deviceOctants, count, deviceHistogram);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(
      cudaMemcpy(histogram.data(), deviceHistogram, bytesOfHistogram, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceOctants));
  CUDA_CHECK(cudaFree(deviceHistogram));
  for (int b = 0; b < kOctants; ++b)
    if (histogram[b] != expected[b])
      return std::fprintf(
                 stderr, "wrong: %d bodies in octant %d, not %d\n", histogram[b], b, expected[b]),
             1;
  std::printf("the octants of %d bodies are correct\n", count);
}
