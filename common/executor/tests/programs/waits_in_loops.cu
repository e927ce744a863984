// Blocks that wait for blocks which begin later, and what no thread ends. A random model has flags (waits_model_test.py), and
// scopes_and_fences.cu what blocks that have met then read.
// orders: forward reverse
#include <cstdio>

__device__ volatile int never;
__device__ int ticket;
__managed__ int counts[2], late;

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

/// Each block waits until all have taken a ticket, with a limit.
__global__ void withLimit() {
  if (threadIdx.x == 0) atomicAdd(&ticket, 1);
  int tries = 0;
  while (atomicAdd(&ticket, 0) < gridDim.x + 1)
    if (++tries == 2000) break;
  if (tries == 2000) atomicAdd(&late, 1);
}

__global__ void forEver() {
  if (threadIdx.x == 40)
    while (never == 0) continue;  // @forever
  __syncthreads();  // @others
}
// reports: waits for ever: no thread of block \(\d,0,0\) can continue, and nothing changes any more.\n  63 threads \(0-39, 41-63\) wait at __syncthreads\(\) at .*:@others\n  1 thread \(40\) waits in a loop at .*:@forever\n  The other resident block waits too.*CooperativeKernel\(\)

__global__ void meet(int* count) { arrive(count); }
// reports: (?s)waits for ever: .*  1 thread \(0\) waits in a loop at .*:@barrier\n.*  The other 7 resident blocks wait too. 4 of 12 blocks have not begun, because only 8 are resident at the same time. .*cudaLaunchCooperativeKernel\(\)

int main() {
  meet<<<4, 64>>>(&counts[0]);
  withLimit<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", counts[0], late);
  forEver<<<2, 64>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
  meet<<<12, 1024>>>(&counts[1]);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
// status: 1
// prints: 4 2
