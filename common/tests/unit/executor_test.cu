// What the CPU executor says of kernels that wait for each other in vain, and how it schedules.
#include <cmath>

#include <set>

#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void guardedBarrierKernel(int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) __syncthreads();
}
constexpr int kGuardedLine = __LINE__ - 2;

__global__ void earlyReturnKernel(int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  __syncthreads();
}

__global__ void twoBarriersKernel() {
  if (threadIdx.x < 32) __syncthreads();
  else __syncthreads();
}

__global__ void halfShuffleKernel(float* out) {
  float x = threadIdx.x;
  if (threadIdx.x % 32 < 16) x += __shfl_xor_sync(kAllLanes, x, 1);
  __syncthreads();
  out[threadIdx.x] = x;
}

__global__ void foreignMaskKernel() {
  if (threadIdx.x < 4) __syncwarp(0xf0u);
}

__global__ void readLeftLaneKernel(float* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __shfl_down_sync(kAllLanes, 1.0f, 8u);
}

__global__ void differentMasksKernel() {
  if (threadIdx.x % 2 == 0) __syncwarp(kAllLanes);
  else __syncwarp(0xaaaaaaabu);  // lane 0 waits with the other mask
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

}  // namespace

TEST_CASE("a barrier in a branch is reported with file, line and threads") {
  inEveryOrder([] {
    checkParts(messageOf([] {
                 guardedBarrierKernel<<<3, 256, 0, stream()>>>(600);
                 CUDA_CHECK(cudaGetLastError());
               }),
               {"executor: divergent barrier: no thread of block (2,0,0)",
                "88 threads (0-87) wait at __syncthreads() at unit/executor_test.cu:" +
                    std::to_string(kGuardedLine),
                "168 threads (88-255) returned from the kernel",
                "move it out of the branch",
                "launched at unit/executor_test.cu:"});
  });
}

TEST_CASE("a return before a barrier is reported") {
  checkParts(messageOf([] {
               launch({1, 64}, earlyReturnKernel, 63);
             }),
             {"63 threads (0-62) wait at __syncthreads()", "1 thread (63) returned"});
}

TEST_CASE("two barriers in two branches are reported with both lines") {
  inEveryOrder([] {
    checkParts(messageOf([] {
                 launch({1, 64}, twoBarriersKernel);
               }),
               {"32 threads (0-31) wait", "32 threads (32-63) wait"});
  });
}

TEST_CASE("a shuffle whose lanes never come is reported with its mask") {
  inEveryOrder([] {
    DeviceArray<float> out(64, "out");
    checkParts(messageOf([&] {
                 launch({1, 64}, halfShuffleKernel, out.data());
               }),
               {"executor: divergent warp function: no thread of block (0,0,0)",
                "32 threads (0-15, 32-47) wait at __shfl_xor_sync()",
                "mask 0xffffffff",
                "32 threads (16-31, 48-63) wait at __syncthreads()"});
  });
}

TEST_CASE("lanes that wait with different masks are reported") {
  checkParts(messageOf([] { launch({1, 32}, differentMasksKernel); }), {"mask 0xaaaaaaab"});
}

TEST_CASE("a lane outside its own mask is reported") {
  checkParts(messageOf([] {
               launch({1, 32}, foreignMaskKernel);
             }),
             {"does not include lane", "__syncwarp() at unit/executor_test.cu:"});
}

TEST_CASE(
    "a shuffle from a lane that has returned gives an undefined value, and the kernel goes on") {
  DeviceArray<float> out(32, "out");
  launch({1, 32}, readLeftLaneKernel, out.data());
  const std::vector<float> values = out.download();
  CHECK(values[7] == 1);
  CHECK(std::isnan(values[8]));
}

TEST_CASE("the executor works on after an error") {
  DeviceArray<float> out(64, "out");
  for (int i = 0; i < 50; ++i) {
    CHECK_THROWS_AS(launch({4, 64}, halfShuffleKernel, out.data()), executor::KernelError);
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
