// Static shared memory is limited to 48 KiB for all variables of a kernel together. nvcc refuses such a kernel.
// only: check
// prints: 2
// reports: (?s)unchecked error: the launch of tooMuch at .*:@launch failed .*may have at most 49152 bytes together, but these have 64000\.
// status: 1
#include <cstdio>

__global__ void enough(float* out) {
  __shared__ float a[6144], b[6144];
  a[threadIdx.x] = b[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}
__global__ void tooMuch(float* out) {
  __shared__ float a[8000], b[8000];
  a[threadIdx.x] = b[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}

int main() {
  float *out, host;
  cudaMalloc(&out, 32 * sizeof(float));
  enough<<<1, 32>>>(out);
  tooMuch<<<1, 32>>>(out);  // @launch
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host);
  cudaFree(out);
}
