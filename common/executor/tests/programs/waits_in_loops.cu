// Blocks that wait for blocks which begin later, and what no thread ends. A random model has flags (waits_model_test.py).
// orders: forward reverse
#include <cstdio>

__device__ volatile int never;
__device__ int count, countOfMany, ticket;

__device__ void arrive(int* goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(goal, 1);
    while (atomicAdd(goal, 0) < gridDim.x) continue;  // @barrier
    __threadfence();
  }
  __syncthreads();
}

/// All blocks meet twice.
__global__ void reversed(int* data, int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i;
  arrive(&count);
  result[i] = data[n - 1 - i];
}

/// Each block waits until all have taken a ticket, with a limit.
__global__ void withLimit(int* late) {
  if (threadIdx.x == 0) atomicAdd(&ticket, 1);
  int tries = 0;
  while (atomicAdd(&ticket, 0) < gridDim.x + 1)
    if (++tries == 2000) break;
  if (tries == 2000) atomicAdd(late, 1);
}

__global__ void forEver() {
  if (threadIdx.x == 40)
    while (never == 0) continue;  // @forever
  __syncthreads();  // @others
}
// reports: waits for ever: no thread of block \(\d,0,0\) can continue, and nothing changes any more.\n  63 threads \(0-39, 41-63\) wait at __syncthreads\(\) at .*:@others\n  1 thread \(40\) waits in a loop at .*:@forever\n  The other resident block waits too.*CooperativeKernel\(\)

__global__ void tooMany() { arrive(&countOfMany); }
// reports: (?s)waits for ever: .*  1 thread \(0\) waits in a loop at .*:@barrier\n.*  The other 7 resident blocks wait too. 4 of 12 blocks have not begun, because only 8 are resident at the same time. .*cudaLaunchCooperativeKernel\(\)

int main() {
  int *data, result[256];
  cudaMalloc(&data, 2 * sizeof result);
  reversed<<<4, 64>>>(data, data + 256);
  cudaMemcpy(result, data + 256, sizeof result, cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[255]);
  cudaMemset(data, 0, sizeof *data);
  withLimit<<<2, 1>>>(data);
  cudaMemcpy(result, data, sizeof *result, cudaMemcpyDeviceToHost);
  printf("%d\n", *result);
  forEver<<<2, 64>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
  tooMany<<<12, 1024>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
// status: 1
// prints: 255 0
// prints: 2
