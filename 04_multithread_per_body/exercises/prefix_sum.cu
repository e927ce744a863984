// Numbers the bodies of cells: nvcc -arch=native prefix_sum.cu && ./a.out [CELLS [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>

__global__ void serialKernel(const int* bodies, int cells, int* first) {
  for (int i = 0, sum = 0; i < cells; sum += bodies[i], ++i) first[i] = sum;
}

/// Sets first[i] to the sum of bodies[0] to bodies[i - 1].
/// \param bodies, first  \p cells elements each, on the device
void prefixSum(const int* bodies, int cells, int* first) {
  // TODO 4.5: a single thread does all the work
  serialKernel<<<1, 1>>>(bodies, cells, first);
}

int main(int argc, char** argv) {
  const int cells = argc > 1 ? std::atoi(argv[1]) : 20000;
  if (cells < 1) return std::fprintf(stderr, "usage: prefix_sum [CELLS [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  int *bodies, *first;
  cudaMallocManaged(&bodies, cells * sizeof(int));
  cudaMallocManaged(&first, cells * sizeof(int));
  for (int i = 0; i < cells; ++i) bodies[i] = random() % 25;
  prefixSum(bodies, cells, first);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return std::fprintf(stderr, "%s\n", cudaGetErrorString(status)), 1;
  for (int i = 0, expected = 0; i < cells; expected += bodies[i], ++i)
    if (first[i] != expected)
      return std::fprintf(stderr, "wrong: the first body of cell %d\n", i), 1;
  cudaFree(bodies);
  cudaFree(first);
  std::printf("the first bodies of %d cells are correct\n", cells);
}
