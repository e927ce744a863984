// Kernels with one race each, which are reported in every order of threads, and two without. Which accesses race is also compared
// with a model (checker_model_test.cu), and the advice is in race_advice.cu.
// only: check
// orders: forward reverse random:1 random:2
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kBlock = 64;
__device__ float out[3 + 3 * kBlock], sum[4], values[kBlock];
__device__ int cleared[1], flag[1], same[1], changed[1], exchanged[3];

/// Lanes 0 and 1 of one warp: __syncwarp() would do.
__global__ void noWarpBarrier() {
  __shared__ float part[kBlock];
  part[threadIdx.x] = 1;  // @part
  if (threadIdx.x == 0) out[0] = part[1];  // @firstLane
}
// reports: (?s)race on shared memory: part\[1\]\n(?=.*  write by thread \(1,0,0\) of block \(0,0,0\) at .*:@part\n)(?=.*  read by thread \(0,0,0\) of block \(0,0,0\) at .*:@firstLane\n).*A __syncwarp\(\) is missing between these two.*\(once in the kernel launched at

/// The lanes 0 to 3 meet, the lanes 0 and 8 do not.
__global__ void warpBarrierOfOthers() {
  __shared__ float4 parts[kBlock];
  parts[threadIdx.x] = {1, 2, 3, 4};  // @parts
  if (threadIdx.x < 4) __syncwarp(0xfu);
  if (threadIdx.x == 0) out[0] = parts[1].x + parts[8].w;  // @eighthLane
}
// reports: (?s)race on shared memory: parts\[8\]\n(?=.*  write by thread \(8,0,0\) of block \(0,0,0\) at .*:@parts\n)(?=.*  read by thread \(0,0,0\) of block \(0,0,0\) at .*:@eighthLane\n).*The barrier between these two lines does not order the two threads\. Check

/// A shuffle brings lanes together but does not order what they wrote.
__global__ void shuffleIsNoBarrier() {
  __shared__ float lanes[32];
  lanes[threadIdx.x] = 1;  // @lanes
  const float one = __shfl_sync(~0u, 1.0f, 0);
  if (threadIdx.x == 0) out[0] = one + lanes[5];  // @shuffled
}
// reports: (?s)race on shared memory: lanes\[5\]\n(?=.*:@lanes\n)(?=.*:@shuffled\n).*A __syncthreads\(\) is missing between these two

__global__ void blocksShareSum() {
  if (threadIdx.x == 0) sum[2] += 1;  // @sum
}
// reports: (?s)race on global memory: sum\[2\]\n(?=.*by thread \(0,0,0\) of block \(1,0,0\) at .*:@sum\n).*in no fixed order\. Use an atomic

__global__ void neighboursResult() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) values[31] = 1;  // @neighbour
  if (i == 33) values[33] = values[31];  // @result
}
// reports: (?s)race on global memory: values\[31\]\n(?=.*  write by thread \(0,0,0\) of block \(0,0,0\) at .*:@neighbour\n)(?=.*  read by thread \(1,0,0\) of block \(1,0,0\) at .*:@result\n).*to another launch

/// The barrier orders the block that clears, not the others.
__global__ void clearedByOneBlock() {
  if (blockIdx.x == 0 && threadIdx.x == 0) cleared[0] = 0;  // @cleared
  __syncthreads();
  atomicAdd(&cleared[0], 1);  // @increased
}
// reports: (?s)race on global memory: cleared\[0\]\n(?=.*  write by thread \(0,0,0\) of block \(0,0,0\) at .*:@cleared\n)(?=.*  atomic by thread .*:@increased\n).*Make both accesses atomic

/// A write of the value that is there does not make the read of another thread correct.
__global__ void readBesideWrite() {
  if (threadIdx.x == 0) flag[0] = 0;
  if (threadIdx.x == 40) out[0] = flag[0];
}
// reports: (?s)race on global memory: flag\[0\]\n(?=.*  write by thread \(0,0,0\)).*  read by thread \(40,0,0\)

/// All write to one word: the same, or else to shared memory.
__global__ void sameValue(bool isSame) {
  __shared__ int word[1];
  word[0] = isSame ? 7 : threadIdx.x;  // @word
  __syncthreads();
  same[0] = word[0] > 0 ? 1 : 2;
}
// reports: race on shared memory: word\[0\]\n  write by thread .*:@word\n

/// Each block uses both kinds of shared memory before and after the grid has met, or has not.
__global__ void exchange(bool meets) {
  __shared__ int own[kBlock];
  extern __shared__ int dynamic[];
  own[threadIdx.x] = dynamic[threadIdx.x] = blockIdx.x;
  if (threadIdx.x == 0) exchanged[blockIdx.x] = 1;  // @given
  if (meets) cg::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 2) out[0] = exchanged[1];  // @taken
  out[3 + threadIdx.x + kBlock * blockIdx.x] = own[threadIdx.x] + dynamic[threadIdx.x];
}
// reports: (?s)race on global memory: exchanged\[1\]\n(?=.*:@given\n)(?=.*:@taken\n).*Check that both reach it every time\. If they do, a grid\.sync\(\) is missing there

__global__ void raceAfterGridBarrier() {
  __shared__ int after[kBlock];
  cg::this_grid().sync();
  after[threadIdx.x] = 1;  // @after
  if (blockIdx.x == 1 && threadIdx.x == 50) out[0] = after[5];  // @unordered
}
// reports: (?s)race on shared memory: after\[5\]\n(?=.* of block \(1,0,0\) at .*:@after\n).*:@unordered\n

static void launchCooperative(const void* kernel, bool argument) {
  void* arguments[] = {&argument};
  cudaLaunchCooperativeKernel(kernel, 3, kBlock, arguments, kBlock * sizeof(int), nullptr);
}

int main() {
  sameValue<<<4, kBlock>>>(true);
  launchCooperative((const void*)exchange, true);
  float taken[4];
  cudaMemcpyFromSymbol(taken, out, sizeof taken);
  printf("%g %g\n", taken[0], taken[3]);
  fflush(stdout);
  noWarpBarrier<<<1, kBlock>>>();
  warpBarrierOfOthers<<<1, kBlock>>>();
  shuffleIsNoBarrier<<<1, 32>>>();
  blocksShareSum<<<3, 32>>>();
  neighboursResult<<<2, 32>>>();
  clearedByOneBlock<<<2, kBlock>>>();
  readBesideWrite<<<1, kBlock>>>();
  sameValue<<<1, kBlock>>>(false);
  launchCooperative((const void*)exchange, false);
  launchCooperative((const void*)raceAfterGridBarrier, false);
  cudaDeviceSynchronize();
}
// prints: 1 0
// status: 1
