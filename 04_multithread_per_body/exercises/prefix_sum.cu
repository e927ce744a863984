// Numbers the bodies of cells: nvcc -arch=native prefix_sum.cu && ./a.out [CELLS [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "prefix_sum.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

__global__ void serialKernel(const int* bodies, int cells, int* first) {
  for (int i = 0, sum = 0; i < cells; sum += bodies[i], ++i) first[i] = sum;
}

/// Sets first[i] to the sum of bodies[0] to bodies[i - 1].
/// \param bodies, first  \p cells elements each, on the device
void prefixSum(const int* bodies, int cells, int* first) {
  // TODO 4.5: a single thread does all the work
  serialKernel<<<1, 1>>>(bodies, cells, first);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  const int cells = argc > 1 ? std::atoi(argv[1]) : 20000;
  if (cells < 1) return std::fprintf(stderr, "usage: prefix_sum [CELLS [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  int *bodies, *first;
  CUDA_CHECK(cudaMallocManaged(&bodies, cells * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&first, cells * sizeof(int)));
  for (int i = 0; i < cells; ++i) bodies[i] = random() % 25;
  prefixSum(bodies, cells, first);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0, expected = 0; i < cells; expected += bodies[i], ++i)
    if (first[i] != expected)
      return std::fprintf(stderr, "wrong: the first body of cell %d\n", i), 1;
  CUDA_CHECK(cudaFree(bodies));
  CUDA_CHECK(cudaFree(first));
  std::printf("the first bodies of %d cells are correct\n", cells);
}
