// Counts the bodies of each shell around a centre: nvcc -arch=native shells.cu && ./a.out [N [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

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
  cudaMallocManaged(&shells, count * sizeof(int));
  cudaMallocManaged(&bodies, kShells * sizeof(int));
  std::fill_n(bodies, kShells, 0);
  for (int i = 0; i < count; ++i)  // many bodies are near the centre
    ++expected[shells[i] = static_cast<int>(kShells * std::pow(random() % 1000 / 1000.0, 3))];
  shellsKernel<<<kBlocks, kThreads>>>(shells, count, bodies);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return std::fprintf(stderr, "%s\n", cudaGetErrorString(status)), 1;
  for (int s = 0; s < kShells; ++s)
    if (bodies[s] != expected[s])
      return std::fprintf(stderr, "wrong: the bodies of shell %d\n", s), 1;
  cudaFree(shells);
  cudaFree(bodies);
  std::printf("the shells of %d bodies are correct\n", count);
}
