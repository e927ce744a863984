// Calls fail and the program handles it: it takes a smaller block, and a smaller array.
#include "check.cuh"

__global__ void indexKernel(int* indices) { indices[threadIdx.x] = threadIdx.x; }

int main() {
  std::size_t bytes = std::size_t(1) << 50;
  int* indices;
  while (cudaMalloc(&indices, bytes) != cudaSuccess) bytes = 4096;
  if (cudaGetLastError() != cudaErrorMemoryAllocation) return 1;

  int block = 2048, refusals = 0;
  for (;; block /= 2, ++refusals) {
    indexKernel<<<1, block>>>(indices);
    if (cudaGetLastError() == cudaSuccess) break;
  }
  CHECK(cudaDeviceSynchronize());
  int last;
  CHECK(cudaMemcpy(&last, indices + block - 1, sizeof last, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(indices));
  CHECK(cudaFree(nullptr));  // not an error
  return verdictOf(last + refusals, 1023 + 1);
}
