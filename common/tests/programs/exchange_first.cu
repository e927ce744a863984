// An exchange as the first access writes; an addition would read.
// check reports: uninitialised global memory: sums\[1\]
// prints: 3 7
// check status: 1
#include <cstdio>

__global__ void exchangeKernel(int* x, float* y) {
  atomicExch(x, 3);
  atomicExch(y, 7.f);
}
__global__ void addKernel(int* sums) { atomicAdd(sums + 1, 3); }

int main() {
  int *x, *sums, i;
  float *y, f;
  cudaMalloc(&x, sizeof(int));
  cudaMalloc(&y, sizeof(float));
  exchangeKernel<<<1, 32>>>(x, y);
  cudaMemcpy(&i, x, sizeof i, cudaMemcpyDeviceToHost);
  cudaMemcpy(&f, y, sizeof f, cudaMemcpyDeviceToHost);
  printf("%d %g\n", i, f);
  cudaMalloc(&sums, 2 * sizeof(int));
  addKernel<<<1, 1>>>(sums);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(sums);
}
