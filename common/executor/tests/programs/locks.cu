// Threads that take two locks: in one order they all come through, in opposite orders they may wait for ever.
// only: check
// orders: forward reverse
// reports: (?s)waits for ever: .* in a loop at .*:@take\n.* has taken one lock and waits for another one.* in the same order
// reports: (?s)waits for ever: .* in a loop at .*:@take\n.* has taken one lock and waits for another one.* in the same order
// reports: (?s)waits for ever: .* in a loop at .*:@take\n(?!.* for another one)
// prints: 60 60 60
// prints: unspecified launch failure
// status: 1
#include <cstdio>

__device__ int locks[4], sums[4];

__device__ void take(int lock) {
  while (atomicCAS(&locks[lock], 0, 1) != 0) continue;  // @take
  __threadfence();
}
__device__ void give(int lock) {
  __threadfence();
  atomicExch(&locks[lock], 0);
}
__device__ void addToBoth(int first, int second) {
  take(first);
  take(second);
  ++sums[0], ++sums[1];
  give(second);
  give(first);
}

/// All take lock 0 first.
__global__ void inOrder() {
  for (int k = 0; k < 10; ++k) addToBoth(0, 1);
}
/// A thread that does not get both takes none.
__global__ void withoutWaiting() {
  const int first = blockIdx.x % 2;
  for (bool isDone = false; !isDone;) {
    if (atomicCAS(&locks[first], 0, 1) != 0) continue;
    if (atomicCAS(&locks[1 - first], 0, 1) == 0) {
      __threadfence();
      for (int k = 0; k < 10; ++k) ++sums[2];
      give(1 - first);
      isDone = true;
    }
    give(first);
  }
}
__global__ void oppositeBlocks() { addToBoth(blockIdx.x % 2, 1 - blockIdx.x % 2); }
__global__ void oppositeWarps() {
  if (threadIdx.x % 32 == 0) addToBoth(2 + threadIdx.x / 32, 3 - threadIdx.x / 32);
}
__global__ void twice() {
  take(0);
  take(0);
}

int main() {
  int h[4];
  inOrder<<<6, 1>>>();
  withoutWaiting<<<6, 1>>>();
  cudaMemcpyFromSymbol(h, sums, sizeof h);
  printf("%d %d %d\n", h[0], h[1], h[2]);
  oppositeBlocks<<<4, 1>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
  oppositeWarps<<<1, 64>>>();
  cudaDeviceSynchronize();
  cudaDeviceReset();
  twice<<<1, 1>>>();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
