// Finds the box around all bodies: nvcc -arch=native bounding_box.cu && ./a.out [N [SEED]]
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "bounding_box.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

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
  CUDA_CHECK(cudaMallocManaged(&places, 3 * count * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&found, sizeof(Box)));
  *found = Box();
  for (int k = 0; k < 3 * count; ++k) places[k] = static_cast<int>(random() % 2000001) - 1000000;
  for (int i = 0; i < count; ++i) include(expected, places, count, i);
  boundsKernel<<<kBlocks, kThreads>>>(places, count, found);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int k = 0; k < 6; ++k)
    if (found->least[k] != expected.least[k])
      return std::fprintf(stderr, "wrong: side %d of the box\n", k), 1;
  CUDA_CHECK(cudaFree(places));
  CUDA_CHECK(cudaFree(found));
  std::printf("the box around %d bodies is correct\n", count);
}
