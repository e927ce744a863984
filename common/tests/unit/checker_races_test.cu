// Kernels with a planted race each: what the checker must say of them in every order of threads. A
// constant after each kernel holds a line of it, counted from the constant's own.
#include "checker_reports.hpp"

using namespace nbody;

namespace {

__global__ void noBarrierAfterFillKernel(const float4* in, float* out) {
  extern __shared__ float4 tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[7].y;
}
constexpr int kAfterFill = __LINE__ - 3;

__global__ void noBarrierBeforeRefillKernel(const float4* in, float* out) {
  extern __shared__ float4 tile[];
  float sum = 0;
  for (int first = 0; first < 3 * kBlock; first += kBlock) {
    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    sum += tile[7].x;
  }
  out[threadIdx.x] = sum;
}
constexpr int kRefill = __LINE__ - 6;

/// Lanes 0 and 1 of one warp: __syncwarp() would do.
__global__ void noWarpBarrierKernel(float* out) {
  __shared__ float part[kBlock];
  part[threadIdx.x] = 1;
  if (threadIdx.x == 0) out[0] = part[1];
}
constexpr int kWarp = __LINE__ - 3;

/// The lanes 0 to 3 meet, the lanes 0 and 8 do not.
__global__ void warpBarrierOfOthersKernel(float* out) {
  __shared__ float4 part[kBlock];
  part[threadIdx.x] = {1, 2, 3, 4};
  if (threadIdx.x < 4) __syncwarp(0xfu);
  if (threadIdx.x == 0) out[0] = part[1].x + part[8].w;
}
constexpr int kOthers = __LINE__ - 4;

/// A shuffle brings lanes together but does not order what they wrote.
__global__ void shuffleIsNoBarrierKernel(float* out) {
  __shared__ float part[32];
  part[threadIdx.x] = 1;
  const float one = __shfl_sync(0xffffffffu, 1.0f, 0);
  if (threadIdx.x == 0) out[0] = one + part[5];
}
constexpr int kShuffle = __LINE__ - 4;

__global__ void blocksShareSumKernel(float* sum) {
  if (threadIdx.x == 0) sum[2] += 1;
}
constexpr int kSum = __LINE__ - 2;

__global__ void neighboursResultKernel(float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) values[31] = 1;
  if (i == 33) values[33] = values[31];
}
constexpr int kNeighbour = __LINE__ - 3;

/// The barrier orders the block that clears, not the others.
__global__ void clearedByOneBlockKernel(int* sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0) sum[0] = 0;
  __syncthreads();
  atomicAdd(&sum[0], 1);
}
constexpr int kCleared = __LINE__ - 4;

__global__ void atomicAndPlainKernel(int* sum, int* out) {
  atomicAdd(&sum[0], 1);
  if (threadIdx.x == 40) out[0] = sum[0];
}
constexpr int kAtomic = __LINE__ - 3;

/// All write to one word. Mistake: not the same.
__global__ void sameValueKernel(int* flag, bool same) {
  __shared__ int shared;
  shared = same ? 7 : static_cast<int>(threadIdx.x);
  __syncthreads();
  *flag = shared > 0 ? 1 : 2;
}
constexpr int kSame = __LINE__ - 4;

/// A write of the value that is there does not make the read of another thread right.
__global__ void readBesideWriteKernel(int* flag, int* out) {
  if (threadIdx.x == 0) *flag = 1;
  if (threadIdx.x == 40) *out = *flag;
}

const char* const kBarrier = "A __syncthreads() is missing between these two lines.";
const char* const kWarpBarrier = "A __syncwarp() or __syncthreads() is missing between these two";

template <class... Parameters>
void launchCooperative(void (*kernel)(Parameters...), Parameters... arguments) {
  void* pointers[] = {&arguments...};
  CUDA_CHECK(
      cudaLaunchCooperativeKernel(kernel, 3, kBlock, pointers, kBlock * sizeof(int), stream()));
}

/// Each block uses both kinds of shared memory before and after the grid has met. Mistake: it has
/// not.
__global__ void exchangeKernel(int* values, int* out, bool meet) {
  __shared__ int own[kBlock];
  extern __shared__ int dynamic[];
  own[threadIdx.x] = dynamic[threadIdx.x] = static_cast<int>(blockIdx.x);
  if (threadIdx.x == 0) values[blockIdx.x] = 1;
  if (meet) executor::waitForGrid({"sync()", __FILE__, __LINE__});
  if (threadIdx.x == 0 && blockIdx.x == 2) out[0] = values[1];
  out[3 + threadIdx.x + kBlock * blockIdx.x] = own[threadIdx.x] + dynamic[threadIdx.x];
}
constexpr int kWrite = __LINE__ - 5;

/// A race on shared memory after the grid has met.
__global__ void raceAfterKernel(int* out) {
  __shared__ int own[kBlock];
  executor::waitForGrid({"sync()", __FILE__, __LINE__});
  own[threadIdx.x] = 1;
  if (blockIdx.x == 1 && threadIdx.x == 50) out[0] = own[5];
}
constexpr int kAfter = __LINE__ - 3;

}  // namespace

TEST_CASE("a missing barrier on either side of a tile's use") {
  auto in = zeros<float4>(3 * kBlock, "in");
  auto out = zeros<float>(kBlock, "out");
  const LaunchShape shape(1, kBlock, kBlock * sizeof(float4));
  requireReport(launching(shape, noBarrierAfterFillKernel, in.data(), out.data()),
                "race on shared memory: tile[7]",
                {"  write by thread (7,0,0) of block (0,0,0)" + at(kAfterFill),
                 "  read by thread (", at(kAfterFill + 1), kBarrier});
  requireReport(
      launching(shape, noBarrierBeforeRefillKernel, in.data(), out.data()),
      "race on shared memory: tile[7]",
      {at(kRefill), at(kRefill + 2),
       "A __syncthreads() is missing after the read at line " + std::to_string(kRefill + 2) +
           " and before the write at line " + std::to_string(kRefill) + " of the next iteration.",
       "times in the kernel launched at"});
}

TEST_CASE("a missing warp barrier") {
  auto out = zeros<float>(kBlock, "out");
  requireReport(launching(kOneBlock, noWarpBarrierKernel, out.data()),
                "race on shared memory: part[1]",
                {"  write by thread (1,0,0) of block (0,0,0)" + at(kWarp),
                 "  read by thread (0,0,0) of block (0,0,0)" + at(kWarp + 1), kWarpBarrier,
                 "(once in the kernel launched at"});
  requireReport(launching(kOneBlock, warpBarrierOfOthersKernel, out.data()),
                "race on shared memory: part[8]",
                {"  write by thread (8,0,0) of block (0,0,0)" + at(kOthers),
                 "  read by thread (0,0,0) of block (0,0,0)" + at(kOthers + 2),
                 "The barrier between these two lines does not order the two threads. Check"});
  requireReport(launching(LaunchShape(1, 32), shuffleIsNoBarrierKernel, out.data()),
                "race on shared memory: part[5]", {at(kShuffle), at(kShuffle + 2), kWarpBarrier});
}

TEST_CASE("blocks that share an element of global memory") {
  auto sum = zeros<float>(4, "sum");
  requireReport(
      launching(LaunchShape(3, 32), blocksShareSumKernel, sum.data()),
      "race on global memory: sum[2]",
      {"by thread (0,0,0) of block (1,0,0)" + at(kSum), "in no fixed order. Use an atomic"});
  auto values = zeros<float>(64, "values");
  requireReport(
      launching(LaunchShape(2, 32), neighboursResultKernel, values.data()),
      "race on global memory: values[31]",
      {"  write by thread (0,0,0) of block (0,0,0)" + at(kNeighbour),
       "  read by thread (1,0,0) of block (1,0,0)" + at(kNeighbour + 1), "to another launch"});
}

TEST_CASE("an atomic and a plain access race") {
  auto sum = zeros<int>(1, "sum");
  DeviceArray<int> out(1, "out");
  requireReport(launching(LaunchShape(2, kBlock), clearedByOneBlockKernel, sum.data()),
                "race on global memory: sum[0]",
                {"  write by thread (0,0,0) of block (0,0,0)" + at(kCleared),
                 "  atomic by thread (", at(kCleared + 2), "Make both accesses atomic"});
  requireReport(launching(kOneBlock, atomicAndPlainKernel, sum.data(), out.data()),
                "race on global memory: sum[0]",
                {"  atomic by thread (", at(kAtomic),
                 "  read by thread (40,0,0) of block (0,0,0)" + at(kAtomic + 1)});
}

TEST_CASE("threads that write the same value do not race") {
  auto flag = zeros<int>(1, "flag");
  requireQuiet(launching({4, kBlock}, sameValueKernel, flag.data(), true));
  requireReport(launching(kOneBlock, sameValueKernel, flag.data(), false),
                "race on shared memory: shared", {"  write by thread (", at(kSame)});
}

TEST_CASE("a read and a write race even if the value stays") {
  auto flag = zeros<int>(1, "flag"), out = zeros<int>(1, "out");
  flag.upload({1});
  requireReport(launching(kOneBlock, readBesideWriteKernel, flag.data(), out.data()),
                "race on global memory: flag[0]",
                {"  write by thread (0,0,0)", "  read by thread (40,0,0)"});
}

TEST_CASE("a grid barrier orders blocks") {
  auto values = zeros<int>(3, "values");
  DeviceArray<int> out(3 + 3 * kBlock, "out");
  requireQuiet([&] { launchCooperative(exchangeKernel, values.data(), out.data(), true); });
  CHECK(out.download()[0] == 1);
  CHECK(out.download().back() == 4);
  requireReport([&] { launchCooperative(exchangeKernel, values.data(), out.data(), false); },
                "race on global memory: values[1]",
                {at(kWrite), at(kWrite + 2), "in no fixed order"});
}

TEST_CASE("a race after a grid barrier is reported with its block") {
  DeviceArray<int> out(kBlock, "out");
  requireReport([&] { launchCooperative(raceAfterKernel, out.data()); },
                "race on shared memory: own[5]",
                {" of block (1,0,0)" + at(kAfter), at(kAfter + 1)});
}

// Advice in reports must follow from which threads came to the same element, and by what lines.

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
constexpr int kWarpWrite = __LINE__ - 4;

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
                {at(kWarpWrite), at(kWarpWrite + 2),
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
