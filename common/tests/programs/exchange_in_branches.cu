// A shuffle in both branches of an if, with the full mask: the lanes exchange values, and a note says so.
// check notes: (?s)exchange between branches: thread \(0,0,0\) .* calls __shfl_xor_sync\(\) at .*:@one, and .*:@other\.
// prints: 1 1
#include <cstdio>

__global__ void exchange(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_xor_sync(~0u, v, 1);  // @one
  else v -= __shfl_xor_sync(~0u, v, 1);  // @other
  out[threadIdx.x] = v;
}
__global__ void together(int* out) {
  int v = out[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffff, v, 1);
  out[threadIdx.x] = v;
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[31]);
  together<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
