// A kernel that writes a __constant__ variable, by its name and by a pointer.
// only: check
// reports: write to constant memory: scales\[0\]\n  write .*:@name\n
// prints: an illegal memory access was encountered
// status: 1
#include <cstdio>

__constant__ float scales[4], others[4];
__device__ float own[4], out[4];
__global__ void reads() {
  own[threadIdx.x] = 2;
  out[threadIdx.x] = scales[threadIdx.x] * own[threadIdx.x] + others[0];
}
__global__ void writes() {
  scales[threadIdx.x] = 1;  // @name
}

int main() {
  const float host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(scales, host, sizeof host);
  reads<<<1, 4>>>();
  writes<<<1, 4>>>();
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
