// Lanes that came the same way are together for __activemask() and coalesced_threads().
// orders: forward reverse random:1
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

/// Adds 1 for each lane that is together, with one atomic. Returns the caller's own old value.
__device__ int addTogether(int* sum) {
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1;
  const int rank = __popc(active & ((1u << threadIdx.x % 32) - 1));
  int first;
  if (rank == 0) first = atomicAdd(sum, __popc(active));
  return __shfl_sync(active, first, leader) + rank;
}

/// Calls the helper in both branches.
__global__ void split(int* even, int* odd, int* counts) {
  if (threadIdx.x % 2 == 0) even[addTogether(&counts[0])] = threadIdx.x;
  else odd[addTogether(&counts[1])] = threadIdx.x;
}

/// Lanes leave the loop at different times. Both groups are on one line.
__global__ void peel(const int* keys, int* counts) {
  for (bool done = false; !done;) {
    const cg::coalesced_group all = cg::coalesced_threads(); const int first = all.shfl(keys[threadIdx.x], 0); if (keys[threadIdx.x] == first) { const cg::coalesced_group same = cg::coalesced_threads(); if (same.thread_rank() == 0) counts[first] += same.size(); done = true; }
  }
}

/// Lanes that do not enter the branch must not run ahead to the next iteration, nor behind the loop.
__global__ void iterations(unsigned* masks) {
  unsigned mask = 0;
  for (int i = 0; i < 4; ++i)
    if (threadIdx.x / 8 == i) mask = __activemask();
  masks[threadIdx.x] = mask;
  masks[32 + threadIdx.x] = __activemask();
}

template <class F>
__device__ void callTwice(F f) {
  if (threadIdx.x < 16) f(0);
  else f(1);
}

/// A lambda is called at two places through a parameter.
__global__ void lambda(unsigned* masks) {
  callTwice([=](int) { masks[threadIdx.x] = __activemask(); });
}

// prints: 16 16 0 7 13 0 0 12
// prints: ff ff00 ff0000 ff000000, ffffffff ffffffff
// prints: ffff ffff0000

int main() {
  int *data, *counts, keys[32], count[8];
  unsigned *masks, mask[64];
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&masks, sizeof mask);
  cudaMalloc(&counts, sizeof count);
  cudaMemset(counts, 0, sizeof count);
  split<<<1, 32>>>(data, data + 32, counts);
  for (int i = 0; i < 32; ++i) keys[i] = i * i % 5;
  cudaMemcpy(data, keys, sizeof keys, cudaMemcpyHostToDevice);
  peel<<<1, 32>>>(data, counts + 3);
  cudaMemcpy(count, counts, sizeof count, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) printf(i < 7 ? "%d " : "%d\n", count[i]);
  iterations<<<1, 32>>>(masks);
  cudaMemcpy(mask, masks, sizeof mask, cudaMemcpyDeviceToHost);
  printf("%x %x %x %x, %x %x\n", mask[0], mask[8], mask[16], mask[31], mask[32], mask[63]);
  lambda<<<1, 32>>>(masks);
  cudaMemcpy(mask, masks, 32 * sizeof *masks, cudaMemcpyDeviceToHost);
  printf("%x %x\n", mask[0], mask[31]);
  cudaFree(data);
  cudaFree(masks);
  cudaFree(counts);
}
