// Static shared memory is limited to 48 KiB for all variables of a kernel together. nvcc refuses such a kernel.
// only: check
// prints: 2
// reports: (?s)unchecked error: the launch of tooMuch at .*:@launch failed .*may have at most 49152 bytes together, but these have 64000\.
// status: 1
#include <cstdio>

__managed__ float out[32];
__global__ void enough() {
  __shared__ float a[6144], b[6144];
  a[threadIdx.x] = b[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}
__global__ void tooMuch() {
  __shared__ float a[8000], b[8000];
  a[threadIdx.x] = b[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}

int main() {
  enough<<<1, 32>>>();
  tooMuch<<<1, 32>>>();  // @launch
  cudaDeviceSynchronize();
  printf("%g\n", out[0]);
}
