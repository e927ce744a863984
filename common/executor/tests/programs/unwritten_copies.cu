// Copies of uninitialised memory: the rest of a buffer is no mistake, memory that nothing has
// filled is one. If another stream writes it too late, that is a race, and no more. If the grid has left
// elements out and the host copies them, a note counts them. There is no note about padding, or if only the
// written part is copied.
// only: check
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 7; }
__global__ void take(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // @take
}
__global__ void sum(const int* from, int* to) {
  atomicAdd(to, from[threadIdx.x]);  // @sum
}
struct Padded {
  double value;
  int count;
};
__global__ void add(float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = 1;
}
__global__ void fillPadded(Padded* all) {
  all[threadIdx.x].value = 1;
  all[threadIdx.x].count = 2;
}
__global__ void fillPairs(float2* pairs) { pairs[threadIdx.x] = {1, 2}; }

static void copyPartsOfArrays() {
  constexpr int n = 1000;
  static float host[n];
  float *sums, *part;
  Padded *padded, hostPadded[4];
  float2 *pairs, hostPairs[4];
  cudaMalloc(&sums, sizeof host);
  cudaMalloc(&part, sizeof host);
  cudaMalloc(&padded, sizeof hostPadded);
  cudaMalloc(&pairs, sizeof hostPairs);
  add<<<n / 256, 256>>>(sums, n);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);  // @grid
  add<<<2, 256>>>(part, n);
  cudaMemcpy(host, part, 512 * sizeof(float), cudaMemcpyDeviceToHost);
  fillPadded<<<1, 4>>>(padded);
  cudaMemcpy(hostPadded, padded, sizeof hostPadded, cudaMemcpyDeviceToHost);
  fillPairs<<<1, 3>>>(pairs);
  cudaMemcpy(hostPairs, pairs, sizeof hostPairs, cudaMemcpyDeviceToHost);  // @pairs
}

int main() {
  copyPartsOfArrays();
  int *some, *copy, ints[64];
  cudaMalloc(&some, sizeof ints);
  cudaMalloc(&copy, sizeof ints);
  fill<<<1, 32>>>(some);
  cudaMemcpy(copy, some, sizeof ints, cudaMemcpyDeviceToDevice);
  cudaMemcpy(ints, copy, sizeof ints, cudaMemcpyDeviceToHost);
  printf("%d\n", ints[31]);

  int* none;
  cudaMalloc(&none, sizeof ints);
  cudaMemcpy(ints, none, sizeof ints, cudaMemcpyDeviceToHost);  // @copy

  // Nothing else is queued that could write it; then something that does not; then what does.
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  fill<<<1, 32, 0, one>>>(copy);
  sum<<<1, 32, 0, two>>>(none, some);
  cudaDeviceSynchronize();
  int* late;
  cudaMalloc(&late, sizeof ints);
  fill<<<1, 32, 0, one>>>(late);
  take<<<1, 32, 0, two>>>(late, some);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
// prints: 7
// notes: (?s)partly written: 232 of 1000 elements of sums .*cudaMemcpy at .*:@grid copies
// notes: (?s)partly written: 1 of 4 elements of pairs .*:@pairs copies
// notes: (?s)partly written: 32 of 64 elements of copy
// reports: uninitialised global memory: none\[0\]\n  read by cudaMemcpy at programs/unwritten_copies.cu:@copy\n(.*\n)  \(once\)
// reports: uninitialised global memory: none\[.*\n.*programs/unwritten_copies.cu:@sum
// reports: race on global memory: late\[.*\n  read .*programs/unwritten_copies.cu:@take
// status: 1
