// Counts the bodies of each shell around a centre: nvcc -arch=native shells.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "shells.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kShells = 256, kThreads = 128, kBlocks = 8;

__global__ void shellsKernel(const int* shells, int count, int* bodies) {
  // TODO 2.8: all threads update the same counters
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads)
    atomicAdd(&bodies[shells[i]], 1);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: shells [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  int *shells, *bodies, expected[kShells] = {};
  CUDA_CHECK(cudaMallocManaged(&shells, count * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&bodies, kShells * sizeof(int)));
  std::fill_n(bodies, kShells, 0);
  for (int i = 0; i < count; ++i)  // many bodies are near the centre
    ++expected[shells[i] = static_cast<int>(kShells * std::pow(random() % 1000 / 1000.0, 3))];
  shellsKernel<<<kBlocks, kThreads>>>(shells, count, bodies);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int s = 0; s < kShells; ++s)
    if (bodies[s] != expected[s])
      return std::fprintf(stderr, "wrong: the bodies of shell %d\n", s), 1;
  CUDA_CHECK(cudaFree(shells));
  CUDA_CHECK(cudaFree(bodies));
  std::printf("the shells of %d bodies are correct\n", count);
}
