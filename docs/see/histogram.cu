// 32 threads count their numbers in 8 counters: all in one copy, and then in a copy for each lane.
#include <cstdio>

constexpr int kThreads = 32, kCounters = 8;

__global__ void oneCopy(const int* in, int* out) {
  __shared__ int counters[kCounters];
  const int t = threadIdx.x;
  if (t < kCounters) counters[t] = 0;
  __syncthreads();  // the counters are 0
  atomicAdd(&counters[in[t]], 1);
  __syncthreads();  // every thread has counted
  if (t < kCounters) out[t] = counters[t];
}

__global__ void copyPerLane(const int* in, int* out) {
  __shared__ int counters[kCounters][kThreads];
  const int lane = threadIdx.x;
  for (int s = 0; s < kCounters; ++s) counters[s][lane] = 0;
  counters[in[lane]][lane] += 1;  // nobody else uses this lane's copy
  __syncthreads();  // every thread has counted
  if (lane >= kCounters) return;
  int sum = 0;
  for (int k = 0; k < kThreads; ++k) sum += counters[lane][(lane + k) % kThreads];
  out[lane] = sum;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&out, kCounters * sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i * i % 7;
  oneCopy<<<1, kThreads>>>(in, out);
  copyPerLane<<<1, kThreads>>>(in, out);
  const cudaError_t status = cudaDeviceSynchronize();
  for (int s = 0; s < kCounters; ++s) std::printf("%d\n", out[s]);
  cudaFree(in);
  cudaFree(out);
  return status != cudaSuccess;
}
