// Threads, lanes and blocks that wait for others in vain.
// orders: forward reverse random:1 random:2
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>

namespace cg = cooperative_groups;

/// A launch that is stopped. CUDA begins again after it.
#define STOPS(...) __VA_ARGS__, cudaDeviceReset()

__global__ void barrierInBranch(int count) {
  if (blockIdx.x * blockDim.x + threadIdx.x < count) __syncthreads();  // @guarded
}
// reports: divergent barrier: no thread of block \(2,0,0\).*\n  88 threads \(0-87\) wait at __syncthreads\(\) at .*:@guarded\n  168 threads \(88-255\) returned from the kernel\n.*move it out of the branch.*\n.*launched at .*:@launch\)

__global__ void twoBarriers() {
  if (threadIdx.x < 32) __syncthreads();  // @one
  else __syncthreads();  // @other
}
// reports: divergent barrier: .*\n  32 threads \(0-31\) wait at .*:@one\n  32 threads \(32-63\) wait at .*:@other\n

__global__ void barrierOfGroup() {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (threadIdx.x != 70) tile.sync();  // @group
}
// reports: (?s)divergent barrier: .*  63 threads [^\n]* wait at sync\(\) of a tile at .*:@group\n  A barrier waits for as many threads as it counts, and a group for all of its threads

__global__ void barrierThatCountsTooMany() {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 20) all.arrive_and_wait();  // @counts
}
// reports: divergent barrier: .*\n  20 threads \(0-19\) wait at arrive_and_wait\(\) of a cuda::barrier at .*:@counts\n  12 threads \(20-31\) returned from the kernel\n  A barrier waits for as many threads as it counts

__global__ void shuffleInBranch() {
  float x = threadIdx.x;
  if (threadIdx.x % 32 < 16) x += __shfl_xor_sync(~0u, x, 1);  // @shuffle
  __syncthreads();  // @barrier
  if (x < 0) printf("negative\n");
}
// reports: divergent warp function: no thread of block \(0,0,0\).*\n  32 threads \(0-15, 32-47\) wait at __shfl_xor_sync\(\) at .*:@shuffle .*mask 0xffffffff\n  32 threads \(16-31, 48-63\) wait at __syncthreads\(\) at .*:@barrier\n

__global__ void differentMasks() {
  if (threadIdx.x % 2 == 0) __syncwarp();
  else __syncwarp(0xaaaaaaabu);  // lane 0 waits with the other mask
}
// reports: (?s)divergent warp function: .*mask 0xffffffff\n.*mask 0xaaaaaaab\n

__global__ void foreignMask() {
  if (threadIdx.x < 4) __syncwarp(0xf0u);  // @foreign
}
// reports: wrong mask: .*__syncwarp\(\) at .*:@foreign with mask 0x000000f0, but the mask does not include lane \d

__global__ void oneBlockLeaves() {
  if (blockIdx.x != 1) cg::this_grid().sync();  // @leaves
}
// reports: divergent grid barrier: 2 blocks wait at sync\(\) of the grid at .*:@leaves, but 1 block has returned

__global__ void halfOfBlockReturns(int count) {
  if (blockIdx.x * blockDim.x + threadIdx.x >= count) return;
  cg::this_grid().sync();  // @half
}
// reports: divergent grid barrier: no thread of block \(1,0,0\).*\n  32 threads \(0-31\) wait at sync\(\) of the grid at .*:@half\n  32 threads \(32-63\) returned from the kernel\n  Every thread of the grid must reach .*\n.*launched at

__global__ void oneThreadReturnsLater() {
  const auto grid = cg::this_grid();
  grid.sync();
  if (grid.thread_rank() != 0) sync(grid);  // @later
}
// reports: divergent grid barrier: no thread of block \(0,0,0\).*\n  1 thread \(0\) returned from the kernel\n  31 threads \(1-31\) wait at sync\(\) of the grid at .*:@later\n

__global__ void barrierOfGridAndOfBlock() {
  if (threadIdx.x < 32) cg::this_grid().sync();  // @grid
  else __syncthreads();  // @block
}
// reports: divergent grid barrier: no thread of block .*\n  32 threads \(0-31\) wait at .*:@grid\n  32 threads \(32-63\) wait at __syncthreads\(\) at .*:@block\n  Every thread of the grid

__global__ void twoBarriersOfGrid() {
  if (threadIdx.x < 32) cg::this_grid().sync();  // @gridOne
  else cg::this_grid().sync();  // @gridOther
}
// reports: divergent grid barrier: no thread of block .*\n  32 threads \(0-31\) wait at .*:@gridOne\n  32 threads \(32-63\) wait at .*:@gridOther\n  Every thread of the grid must reach the same sync

/// The blocks of a grid may wait at different lines.
__global__ void barriersOfBlocks() {
  if (blockIdx.x == 0) cg::this_grid().sync();
  else cg::this_grid().sync();
}

__global__ void waits() { cg::this_grid().sync(); }
// reports: grid barrier: thread \(\d+,0,0\) of block \(.*start the kernel with cudaLaunchCooperativeKernel\(\)

static cudaError_t launchCooperative(const void* kernel, int blocks, int threads,
                                     void** arguments = nullptr) {
  return cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, 0, nullptr);
}

int main() {
  STOPS(barrierInBranch<<<3, 256>>>(600));  // @launch
  STOPS(twoBarriers<<<1, 64>>>());
  STOPS(barrierOfGroup<<<1, 128>>>());
  STOPS(barrierThatCountsTooMany<<<1, 32>>>());
  STOPS(shuffleInBranch<<<1, 64>>>());
  STOPS(differentMasks<<<1, 32>>>());
  STOPS(foreignMask<<<1, 32>>>());
  STOPS(launchCooperative((const void*)oneBlockLeaves, 3, 32));
  int count = 96;
  void* arguments[] = {&count};
  STOPS(launchCooperative((const void*)halfOfBlockReturns, 2, 64, arguments));
  STOPS(launchCooperative((const void*)oneThreadReturnsLater, 2, 32));
  STOPS(launchCooperative((const void*)barrierOfGridAndOfBlock, 1, 64));
  STOPS(launchCooperative((const void*)twoBarriersOfGrid, 1, 64));
  STOPS(waits<<<2, 32>>>());
  // More threads than can run at once; then the executor works as before.
  printf("%s\n", cudaGetErrorName(launchCooperative((const void*)waits, 1000, 1024)));
  cudaGetLastError();
  barrierInBranch<<<4, 256>>>(1024);
  launchCooperative((const void*)waits, 3, 32);
  launchCooperative((const void*)barriersOfBlocks, 3, 32);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// prints: cudaErrorCooperativeLaunchTooLarge
// prints: cudaSuccess
// status: 1
