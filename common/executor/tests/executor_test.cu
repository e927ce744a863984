// Tests of the CPU executor: how it schedules, and launches whose threads wait for the whole grid. Reports
// of threads that wait for each other in vain are in programs/divergence.cu, and more waits in programs/functions.cu.
#include <set>

#include "cooperative_groups.h"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

__global__ void guardedBarrierKernel(int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) __syncthreads();
}

__global__ void readLeftLaneKernel(float* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __shfl_down_sync(~0u, 1.0f, 8u);
}

__global__ void turnKernel(int* next, int* turn) { turn[threadIdx.x] = atomicAdd(next, 1); }

/// Turns that the 64 threads of a block take.
std::vector<int> turns() {
  DeviceArray<int> next(1, "next");
  DeviceArray<int> turn(64, "turn");
  next.clear();
  launch({1, 64}, turnKernel, next.data(), turn.data());
  return turn.download();
}

/// Starts \p kernel as a cooperative launch does.
template <class... Parameters>
void launchCooperative(unsigned blocks, unsigned threads, void (*kernel)(Parameters...),
                       Parameters... arguments) {
  void* pointers[] = {&arguments...};
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, threads, pointers, 16, stream()));
}

/// In each round a block sees what the next one gave; each keeps its own in both kinds of shared memory.
__global__ void roundsKernel(int* given, int* out) {
  __shared__ int own;
  extern __shared__ int dynamic[];
  const int me = static_cast<int>(blockIdx.x), next = (me + 1) % static_cast<int>(gridDim.x);
  if (threadIdx.x == 0) own = dynamic[0] = me;
  bool isRight = true;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) given[me] = 100 * round + own;
    cooperative_groups::this_grid().sync();
    isRight = isRight && given[next] == 100 * round + next;
    cooperative_groups::this_grid().sync();
  }
  if (threadIdx.x == 2) out[me] = isRight ? 100 * own + dynamic[0] : -1;
}

}  // namespace

TEST_CASE(
    "a shuffle from a lane that has returned gives an undefined value, and the kernel goes on") {
  DeviceArray<float> out(32, "out");
  launch({1, 32}, readLeftLaneKernel, out.data());
  const std::vector<float> values = out.download();
  CHECK(values[7] == 1);
  CHECK(std::isnan(values[8]));
}

TEST_CASE("the executor works on after an error") {
  for (int i = 0; i < 50; ++i) {
    CHECK_THROWS_AS(launch({3, 256}, guardedBarrierKernel, 600), executor::KernelError);
    launch({4, 256}, guardedBarrierKernel, 1024);
  }
}

TEST_CASE("orders are what they are called") {
  using executor::Order;
  const OwnOptions restored;
  const auto turnsIn = [](Order order, int seed) {
    executor::options().order = order;
    executor::options().seed = seed;
    return turns();
  };
  const auto forward = turnsIn(Order::forward, 1), reverse = turnsIn(Order::reverse, 1);
  const auto random1 = turnsIn(Order::random, 1), again = turnsIn(Order::random, 1);
  const auto random2 = turnsIn(Order::random, 2);
  for (int i = 0; i < 64; ++i) {
    CHECK(forward[i] == i);
    CHECK(reverse[i] == 63 - i);
  }
  CHECK(random1 == again);
  CHECK(random1 != random2);
  CHECK(std::set<int>(random1.begin(), random1.end()).size() == 64);
}

TEST_CASE("any number of OS threads gives the same result") {
  const OwnOptions restored;
  for (int threads : {1, 2, 3, 8}) {
    executor::options().osThreads = threads;
    CHECK(turns().size() == 64);
    launch({100, 64}, guardedBarrierKernel, 6400);
  }
}

TEST_CASE("a grid's threads wait for each other, and each block keeps its shared memory") {
  inEveryOrder([] {
    for (int blocks : {1, 7}) {
      DeviceArray<int> given(blocks, "given"), out(blocks, "out");
      launchCooperative(blocks, 40, roundsKernel, given.data(), out.data());
      for (int b = 0; b < blocks; ++b) CHECK(out.download()[b] == 101 * b);
    }
  });
}
