// A shuffle in both branches of an if, with the full mask: the lanes exchange values, and a note says so.
// check notes: (?s)exchange between branches: thread \(0,0,0\) .* calls __shfl_xor_sync\(\) at .*:@one, and .*:@other\.
// prints: 1 1
#include <cstdio>

__managed__ int out[32];

__global__ void exchange() {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_xor_sync(~0u, v, 1);  // @one
  else v -= __shfl_xor_sync(~0u, v, 1);  // @other
  out[threadIdx.x] = v;
}
__global__ void together() {
  int v = out[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffff, v, 1);
  out[threadIdx.x] = v;
}

int main() {
  exchange<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[31]);
  together<<<1, 32>>>();
  cudaDeviceSynchronize();
}
