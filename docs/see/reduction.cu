// The sum of 16 numbers in shared memory, twice. In the first kernel every second thread adds, then every fourth, ...; in the second
// the first half of the threads, then the first quarter, ...
#include <cstdio>

constexpr int kThreads = 16;

__global__ void everySecond(const int* in, int* out) {
  __shared__ int sums[kThreads];
  const int t = threadIdx.x;
  sums[t] = in[t];
  for (int s = 1; s < kThreads; s *= 2) {
    __syncthreads();  // the sums of the previous round are there
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
  }
  if (t == 0) *out = sums[0];
}

__global__ void firstHalf(const int* in, int* out) {
  __shared__ int sums[kThreads];
  const int t = threadIdx.x;
  sums[t] = in[t];
  for (int n = kThreads / 2; n > 0; n /= 2) {
    __syncthreads();  // the sums of the previous round are there
    if (t < n) sums[t] += sums[t + n];
  }
  if (t == 0) *out = sums[0];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i + 1;
  everySecond<<<1, kThreads>>>(in, out);
  firstHalf<<<1, kThreads>>>(in, out);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(in);
  cudaFree(out);
  return status != cudaSuccess;
}
