// Code in a folder with the executor's name is code of the program: reports have its lines. Memory that a
// kernel gets from new is watched, too.
// only: check
// reports: race on global memory: shared[\s\S]* at executor/lines.cu:@write[\s\S]* at executor/lines.cu:@read
// reports: double free: cudaFree\(\) at executor/lines.cu:@again frees device memory 'out'
// prints: 28
// status: 1
#include <cstdio>

__device__ int shared[1];

__global__ void raceKernel(int* out) {
  if (threadIdx.x == 0) shared[0] = 1;  // @write
  if (threadIdx.x == 40) out[0] = shared[0];  // @read
}

__global__ void heapKernel(int* out) {
  int* own = new int[8];
  for (int k = 0; k < 8; ++k) own[k] = k;
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += own[k];
  delete[] own;
  out[threadIdx.x] = sum;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  heapKernel<<<1, 64>>>(out);
  int sum = 0;
  cudaMemcpy(&sum, out + 5, sizeof sum, cudaMemcpyDeviceToHost);
  printf("%d\n", sum);
  raceKernel<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(out);  // @again
}
