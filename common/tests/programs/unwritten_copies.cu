// Copies of uninitialised memory: the rest of a buffer is no mistake, memory that nothing has
// filled is one. If another stream writes it too late, that is a race, and no more.
// only: check
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 7; }
__global__ void take(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // @take
}
__global__ void sum(const int* from, int* to) {
  atomicAdd(to, from[threadIdx.x]);  // @sum
}

int main() {
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
// reports: uninitialised global memory: none\[0\]\n  read by cudaMemcpy at programs/unwritten_copies.cu:@copy\n(.*\n)  \(once\)
// reports: uninitialised global memory: none\[.*\n.*programs/unwritten_copies.cu:@sum
// reports: race on global memory: late\[.*\n  read .*programs/unwritten_copies.cu:@take
// status: 1
