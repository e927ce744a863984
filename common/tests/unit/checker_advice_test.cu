// Advice in reports must follow from which threads came to the same element, and by what lines.
#include "checker_reports.hpp"

using namespace nbody;

namespace {

/// The read is in a function that is called: its line says nothing of the order of the two.
__attribute__((noinline)) __device__ int calledOther(const int* part) {
  return part[kBlock - 1 - threadIdx.x];
}
__global__ void calledFunctionKernel(int* out) {
  __shared__ int part[kBlock];
  for (int k = 0; k < 3; ++k) {
    part[threadIdx.x] = k;
    __syncthreads();
    out[threadIdx.x] = calledOther(part);
  }
}

/// Every second thread writes its neighbour's element, in one warp.
__global__ void neighboursIndexKernel(int* out) {
  out[threadIdx.x / 2] = static_cast<int>(threadIdx.x);
}
constexpr int kNeighbours = __LINE__ - 2;

/// The index lacks the block.
__global__ void indexWithoutBlockKernel(int* out) {
  out[threadIdx.x] = static_cast<int>(blockIdx.x);
}

/// Threads of one block race, too, but no barrier would do for the blocks.
__global__ void oneElementKernel(int* out) {
  out[0] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void warpBarrierKernel(int* out) {
  __shared__ int part[kBlock];
  part[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x] = part[kBlock - 1 - threadIdx.x];
}
constexpr int kWarpBarrier = __LINE__ - 4;

/// The barrier is met in the first iteration only.
__global__ void barrierOnceKernel(int* out) {
  __shared__ int part[kBlock];
  for (int k = 0; k < 3; ++k) {
    part[threadIdx.x] = k;
    if (k == 0) __syncthreads();
    out[threadIdx.x] = part[kBlock - 1 - threadIdx.x];
  }
}
constexpr int kOnce = __LINE__ - 5;

/// Separate functions fill the tile and read it.
__device__ inline void fill(int* part, int value) { part[threadIdx.x] = value; }
__device__ inline int other(const int* part) { return part[kBlock - 1 - threadIdx.x]; }
__global__ void inFunctionsKernel(int* out) {
  __shared__ int part[kBlock];
  for (int k = 0; k < 3; ++k) {
    fill(part, k);
    __syncthreads();
    out[threadIdx.x] = other(part);
  }
}
constexpr int kFill = __LINE__ - 5;

const char* const kIndex = "If it belongs to one thread, check the index.";

}  // namespace

TEST_CASE("two threads that write one element are asked for its index") {
  auto out = zeros<int>(kBlock, "out");
  requireReport(launching({1, 32}, neighboursIndexKernel, out.data()),
                "race on global memory: out[",
                {at(kNeighbours), "Two threads write this element. ", kIndex});
  const std::vector<std::string> blocks = {"of block (0,0,0) at ", "of block (1,0,0) at ",
                                           "Two blocks write this element. If it belongs"};
  requireReport(launching({2, kBlock}, indexWithoutBlockKernel, out.data()),
                "race on global memory: out[", blocks);
  requireReport(launching({2, kBlock}, oneElementKernel, out.data()),
                "race on global memory: out[0]", blocks);
}

TEST_CASE("a barrier that stands there is never said to be missing there") {
  auto out = zeros<int>(kBlock, "out");
  requireReport(launching(kOneBlock, warpBarrierKernel, out.data()), "race on shared memory: part[",
                {at(kWarpBarrier), at(kWarpBarrier + 2),
                 "A __syncthreads() is missing between these two lines: the __syncwarp() there "
                 "orders the lanes of one warp only."});
  requireReport(launching(kOneBlock, barrierOnceKernel, out.data()), "race on shared memory: part[",
                {at(kOnce), at(kOnce + 2), "Check that both reach it every time."});
  requireReport(
      launching(kOneBlock, inFunctionsKernel, out.data()), "race on shared memory: part[",
      {"(inlined at line " + std::to_string(kFill) + ")",
       "A __syncthreads() is missing after the read at line " + std::to_string(kFill + 2) +
           " and before the write at line " + std::to_string(kFill) + " of the next iteration."});
  requireReport(launching(kOneBlock, calledFunctionKernel, out.data()),
                "race on shared memory: part[",
                {"A __syncthreads() is missing between the two accesses."});
}
