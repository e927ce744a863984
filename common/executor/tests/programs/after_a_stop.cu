// A kernel is stopped. Later calls fail because of it, and they leave variables unset. Neither is reported as a further mistake.
// only: check
// reports: out of bounds of global memory: a\[32\] of 32 elements
// prints: an illegal memory access was encountered
// prints: an illegal memory access was encountered
// status: 1
#include <cstdio>

__global__ void writeKernel(int* a) { a[threadIdx.x] = 1; }

int main() {
  int *a, *never, host[64];
  cudaMalloc(&a, 32 * sizeof(int));
  writeKernel<<<1, 64>>>(a);
  printf("%s\n", cudaGetErrorString(cudaMemcpy(host, a, sizeof(int), cudaMemcpyDeviceToHost)));
  printf("%s\n", cudaGetErrorString(cudaMalloc(&never, 4)));
  cudaFree(never);
  cudaFree(a);
}
