// Finds the box around all bodies: nvcc -arch=native bounding_box.cu && ./a.out [N [SEED]]
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>

constexpr int kThreads = 128, kBlocks = 8;

/// A box: the least x, y and z, and the least -x, -y and -z, in units of the grid of positions.
struct Box {
  int least[6] = {INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX};
};

/// Extends a box by body \p i. \param places  x of \p count bodies, then y of all, then z of all
__host__ __device__ void include(Box& box, const int* places, int count, int i) {
  for (int k = 0; k < 3; ++k) {
    const int x = places[k * count + i];
    box.least[k] = x < box.least[k] ? x : box.least[k];
    box.least[3 + k] = -x < box.least[3 + k] ? -x : box.least[3 + k];
  }
}

__global__ void boundsKernel(const int* places, int count, Box* all) {
  // TODO 4.4: all threads update the same six numbers
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads) {
    Box own;
    include(own, places, count, i);
    for (int k = 0; k < 6; ++k) atomicMin(&all->least[k], own.least[k]);
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: bounding_box [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  int* places;
  Box *found, expected;
  cudaMallocManaged(&places, 3 * count * sizeof(int));
  cudaMallocManaged(&found, sizeof(Box));
  *found = Box();
  for (int k = 0; k < 3 * count; ++k) places[k] = static_cast<int>(random() % 2000001) - 1000000;
  for (int i = 0; i < count; ++i) include(expected, places, count, i);
  boundsKernel<<<kBlocks, kThreads>>>(places, count, found);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return std::fprintf(stderr, "%s\n", cudaGetErrorString(status)), 1;
  for (int k = 0; k < 6; ++k)
    if (found->least[k] != expected.least[k])
      return std::fprintf(stderr, "wrong: side %d of the box\n", k), 1;
  cudaFree(places);
  cudaFree(found);
  std::printf("the box around %d bodies is correct\n", count);
}
