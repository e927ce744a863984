// The advice for a race follows from which threads came to the same element, and by which lines.
// only: check
// orders: forward reverse random:1 random:2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int kBlock = 64;
__device__ int late[2 * kBlock], ofGrid[2 * kBlock], inTurns[2 * kBlock], atomicFirst[1];
__device__ int ownIndex[kBlock];
__device__ int halved[kBlock], lacksBlock[kBlock], oneElement[1], out[2 * kBlock];

/// Every second thread writes its neighbour's element, in one warp.
__global__ void neighboursIndex() {
  halved[threadIdx.x / 2] = threadIdx.x;  // @halved
}
// reports: (?s)race on global memory: halved\[.*:@halved\n.*Two threads write this element\. If it belongs to one thread, check the index\.

/// The index lacks the block.
__global__ void indexWithoutBlock() { lacksBlock[threadIdx.x] = blockIdx.x; }
// reports: (?s)race on global memory: lacksBlock\[(?=.*of block \(0,0,0\) at )(?=.*of block \(1,0,0\) at ).*Two blocks write this element\. If it belongs

/// Threads of one block race, too, but no barrier would do for the blocks.
__global__ void allToOne() { oneElement[0] = blockIdx.x * blockDim.x + threadIdx.x; }
// reports: (?s)race on global memory: oneElement\[0\](?=.*of block \(0,0,0\) at )(?=.*of block \(1,0,0\) at ).*Two blocks write this element\. If it belongs

// A barrier that stands there is never said to be missing there.

__global__ void warpBarrier() {
  __shared__ int part[kBlock];
  part[threadIdx.x] = 1;  // @part
  __syncwarp();
  out[threadIdx.x] = part[kBlock - 1 - threadIdx.x];  // @otherWarp
}
// reports: (?s)race on shared memory: part\[(?=.*:@part\n)(?=.*:@otherWarp\n).*A __syncthreads\(\) is missing between these two lines: the __syncwarp\(\) there orders the lanes of one warp only\.

/// Each row of one tile is used by one warp, but the other tile needs the same barrier.
__global__ void twoTiles() {
  __shared__ int rows[8][8], columns[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  rows[y][x] = x;  // @rows
  columns[y][x] = y;  // @columns
  for (int k = 0; k < 8; ++k) out[8 * y + x] += rows[y][k] * columns[k][x];  // @both
}
// reports: (?s)race on shared memory: rows\[(?=.*:@rows\n)(?=.*:@both\n).*A __syncthreads\(\) is missing between these two lines\.
// reports: (?s)race on shared memory: columns\[(?=.*:@columns\n)(?=.*:@both\n).*A __syncthreads\(\) is missing between these two lines\.

/// The two launches are one report, because which side of a race comes first is chance.
__global__ void eitherFirst(unsigned writer) {
  if (threadIdx.x == writer) late[0] = 1;  // @eitherWrites
  if (threadIdx.x == 40 - writer) out[0] = late[0];  // @eitherReads
}
// reports: (?s)race on global memory: late\[0\](?=.*:@eitherWrites\n)(?=.*:@eitherReads\n)

/// The barrier is met in the first iteration only.
__global__ void barrierOnce() {
  __shared__ int once[kBlock];
  for (int k = 0; k < 3; ++k) {
    once[threadIdx.x] = k;  // @once
    if (k == 0) __syncthreads();
    out[threadIdx.x] = once[kBlock - 1 - threadIdx.x];  // @often
  }
}
// reports: (?s)race on shared memory: once\[(?=.*:@once\n)(?=.*:@often\n).*Check that both reach it every time\.

/// Separate functions fill the tile and read it.
__device__ inline void fill(int* part, int value) { part[threadIdx.x] = value; }
__device__ inline int other(const int* part) { return part[kBlock - 1 - threadIdx.x]; }
__global__ void inFunctions() {
  __shared__ int inlined[kBlock];
  for (int k = 0; k < 3; ++k) {
    fill(inlined, k);  // @fill
    __syncthreads();
    out[threadIdx.x] = other(inlined);  // @other
  }
}
// reports: (?s)race on shared memory: inlined\[.*\(inlined at line @fill\).*A __syncthreads\(\) is missing after the read at line @other and before the write at line @fill of the next iteration\.

/// The read is in a function that is called: its line says nothing of the order of the two.
__device__ __noinline__ int calledOther(const int* part) { return part[kBlock - 1 - threadIdx.x]; }
__global__ void calledFunction() {
  __shared__ int called[kBlock];
  for (int k = 0; k < 3; ++k) {
    called[threadIdx.x] = k;
    __syncthreads();
    out[threadIdx.x] = calledOther(called);
  }
}
// reports: (?s)race on shared memory: called\[.*A __syncthreads\(\) is missing between the two accesses\.

// Blocks of a cooperative launch can wait for each other.

__global__ void gridBarrierTooLate() {
  const auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  late[i] = i;  // @given
  __syncthreads();
  out[i] = late[2 * kBlock - 1 - i];  // @early
  grid.sync();
}
// reports: (?s)race on global memory: late\[(?=.*:@given\n)(?=.*:@early\n).*A grid\.sync\(\) is missing between these two lines: the __syncthreads\(\) there orders the threads of one block only\.

__global__ void gridBarrierInLoop() {
  const int i = cg::this_grid().thread_rank();
  for (int k = 0; k < 3; ++k) {
    const int left = ofGrid[(i + 1) % (2 * kBlock)];  // @left
    cg::this_grid().sync();
    ofGrid[i] = left + 1;  // @next
  }
}
// reports: (?s)race on global memory: ofGrid\[.*A grid\.sync\(\) is missing after the write at line @next and before the read at line @left of the next iteration\.

__global__ void gridIterations() {
  const int i = cg::this_grid().thread_rank();
  for (int k = 0; k < 2; ++k) {
    inTurns[i] = inTurns[(i + 1) % (2 * kBlock)] + 1;  // @turns
    cg::this_grid().sync();
  }
}
// reports: (?s)race on global memory: inTurns\[.*:@turns\n.*If they use it in different iterations, a grid\.sync\(\) is missing between the iterations\.

__global__ void sumOfGrid() {
  if (cg::this_grid().thread_rank() == 0) atomicFirst[0] = 0;  // @zero
  atomicAdd(atomicFirst, 1);  // @add
}
// reports: (?s)race on global memory: atomicFirst\[0\](?=.*:@zero\n)(?=.*:@add\n).*A grid\.sync\(\) is missing between these two lines\.\n

/// No barrier gives each thread of the grid its own element.
__global__ void gridWithoutBlock() { ownIndex[threadIdx.x] = blockIdx.x; }
// reports: (?s)race on global memory: ownIndex\[.*Two blocks write this element\. If it belongs

int main() {
  neighboursIndex<<<1, 32>>>();
  indexWithoutBlock<<<2, kBlock>>>();
  allToOne<<<2, kBlock>>>();
  warpBarrier<<<1, kBlock>>>();
  twoTiles<<<1, dim3(8, 8)>>>();
  for (const unsigned writer : {0, 40}) eitherFirst<<<1, kBlock>>>(writer);
  barrierOnce<<<1, kBlock>>>();
  inFunctions<<<1, kBlock>>>();
  calledFunction<<<1, kBlock>>>();
  for (const auto kernel : {gridBarrierTooLate, gridBarrierInLoop, gridIterations, sumOfGrid, gridWithoutBlock})
    cudaLaunchCooperativeKernel(kernel, 2, kBlock, nullptr);
  cudaDeviceSynchronize();
}
// status: 1
