// The host copies an array though the grid has left elements out: a note counts them. There is no note about
// padding, or if only the written part is copied.
// only: check
// notes: (?s)partly written: 232 of 1000 elements of sums .*cudaMemcpy at .*:@copy copies
// notes: (?s)partly written: 1 of 4 elements of pairs .*:@pairs copies
// prints: done
#include <cstdio>

struct Padded {
  double value;
  int count;
};
__global__ void add(float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = 1;
}
__global__ void fill(Padded* all) {
  all[threadIdx.x].value = 1;
  all[threadIdx.x].count = 2;
}
__global__ void fillPairs(float2* pairs) { pairs[threadIdx.x] = {1, 2}; }

int main() {
  constexpr int n = 1000;
  static float host[n];
  float *sums, *part;
  Padded *padded, some[4];
  float2 *pairs, hostPairs[4];
  cudaMalloc(&sums, sizeof host);
  cudaMalloc(&part, sizeof host);
  cudaMalloc(&padded, sizeof some);
  cudaMalloc(&pairs, sizeof hostPairs);
  add<<<n / 256, 256>>>(sums, n);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);  // @copy
  add<<<2, 256>>>(part, n);
  cudaMemcpy(host, part, 512 * sizeof(float), cudaMemcpyDeviceToHost);
  fill<<<1, 4>>>(padded);
  cudaMemcpy(some, padded, sizeof some, cudaMemcpyDeviceToHost);
  fillPairs<<<1, 3>>>(pairs);
  cudaMemcpy(hostPairs, pairs, sizeof hostPairs, cudaMemcpyDeviceToHost);  // @pairs
  puts("done");
  cudaDeviceReset();
}
