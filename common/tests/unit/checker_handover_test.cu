// Order that a kernel makes by fences and atomics, and writes of one value by many threads: what
// the checker must let pass, and the same with a mistake.
#include "checker_reports.hpp"

using namespace nbody;

namespace {

/// The block with the last ticket sums what others have written. Mistake: no fence.
__global__ void lastBlockSumsKernel(int* parts, int* ticket, int* sum, bool fence) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 1;
    if (fence) __threadfence();
    last = atomicAdd(ticket, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 3) return;
  *sum = parts[5] + parts[6];  // of blocks that are first or last in no order
}
constexpr int kParts = __LINE__ - 8;
constexpr int kTotal = __LINE__ - 3;

/// As lastBlockSumsKernel(), where each thread has written and fenced before one counts. Mistake: all
/// but one have.
__global__ void allFenceKernel(int* parts, int* ticket, int* sum, bool all) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (all || threadIdx.x != 41) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (last && threadIdx.x == 3) *sum = parts[5 * blockDim.x + 41] + parts[6 * blockDim.x + 41];
}

/// Thread 40 hands a value to thread 3 of its block. Mistake: the flag is set before the value.
__global__ void flagKernel(int* flag, int* out, bool flagFirst) {
  __shared__ int value;
  if (threadIdx.x == 40) {
    if (!flagFirst) value = 7;
    __threadfence_block();
    atomicExch(flag, 1);
    if (flagFirst) value = 7;
  } else if (threadIdx.x == 3) {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = value;
  }
}

/// All write to one word. Mistake: not the same.
__global__ void sameValueKernel(int* flag, bool same) {
  __shared__ int shared;
  shared = same ? 7 : static_cast<int>(threadIdx.x);
  __syncthreads();
  *flag = shared > 0 ? 1 : 2;
}
constexpr int kSame = __LINE__ - 4;

/// The guide's own loop, which adds to a double. Mistake: what was read goes elsewhere, too.
__global__ void swapLoopKernel(double* sum, double* out, bool alsoRead) {
  auto* const bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    const double next = __longlong_as_double(static_cast<long long>(assumed)) + 1;
    old = atomicCAS(bits, assumed, static_cast<unsigned long long>(__double_as_longlong(next)));
  } while (assumed != old);
  __syncthreads();
  if (alsoRead && blockIdx.x == 0 && threadIdx.x == 40) *out = *sum;
}
constexpr int kSwap = __LINE__ - 5;
constexpr int kAlsoRead = __LINE__ - 3;

/// A write of the value that is there does not make the read of another thread right.
__global__ void readBesideWriteKernel(int* flag, int* out) {
  if (threadIdx.x == 0) *flag = 1;
  if (threadIdx.x == 40) *out = *flag;
}

}  // namespace

TEST_CASE("the last block may read what others wrote before a fence and an atomic") {
  auto parts = zeros<int>(16, "parts"), ticket = zeros<int>(1, "ticket"), sum = zeros<int>(1, "s");
  const auto run = [&](bool fence) {
    ticket.clear();
    launch({16, kBlock}, lastBlockSumsKernel, parts.data(), ticket.data(), sum.data(), fence);
  };
  requireQuiet([&] { run(true); });
  CHECK(sum.download()[0] == 2);
  requireReport([&] { run(false); },
                "race on global memory: parts[5]",
                {at(kParts), at(kTotal), "in no fixed order"});
}

TEST_CASE("the last block may read what all threads wrote before a fence of each and a barrier") {
  auto parts = zeros<int>(16 * kBlock, "parts"), ticket = zeros<int>(1, "ticket");
  auto sum = zeros<int>(1, "sum");
  const auto run = [&](bool all) {
    ticket.clear();
    launch({16, kBlock}, allFenceKernel, parts.data(), ticket.data(), sum.data(), all);
  };
  requireQuiet([&] { run(true); });
  CHECK(sum.download()[0] == 2);
  requireReport([&] { run(false); }, "race on global memory: parts[361]", {"in no fixed order"});
}

TEST_CASE("a thread hands on to another of its block by a fence and a flag") {
  auto flag = zeros<int>(1, "flag"), out = zeros<int>(1, "out");
  requireQuiet([&] {
    flag.clear();
    launch(kOneBlock, flagKernel, flag.data(), out.data(), false);
  });
  CHECK(out.download()[0] == 7);
}

TEST_CASE("a read that a compare-and-swap follows is no race and others are") {
  auto sum = zeros<double>(1, "sum"), out = zeros<double>(1, "out");
  const LaunchShape shape(3, kBlock);
  requireQuiet([&] {
    sum.clear();
    launch(shape, swapLoopKernel, sum.data(), out.data(), false);
  });
  CHECK(sum.download()[0] == 3 * kBlock);
  requireReport([&] { launch(shape, swapLoopKernel, sum.data(), out.data(), true); },
                "race on global memory: sum[0]",
                {"  atomic by thread (",
                 at(kSwap),
                 "  read by thread (40,0,0) of block (0,0,0)",
                 at(kAlsoRead),
                 "Make both accesses atomic"});
}

TEST_CASE("threads that write the same value do not race") {
  auto flag = zeros<int>(1, "flag");
  requireQuiet([&] { launch({4, kBlock}, sameValueKernel, flag.data(), true); });
  requireReport([&] { launch(kOneBlock, sameValueKernel, flag.data(), false); },
                "race on shared memory: shared",
                {"  write by thread (", at(kSame)});
}

TEST_CASE("a read beside a write is a race though the value stays") {
  auto flag = zeros<int>(1, "flag"), out = zeros<int>(1, "out");
  flag.upload({1});
  requireReport([&] { launch(kOneBlock, readBesideWriteKernel, flag.data(), out.data()); },
                "race on global memory: flag[0]",
                {"  write by thread (0,0,0)", "  read by thread (40,0,0)"});
}
