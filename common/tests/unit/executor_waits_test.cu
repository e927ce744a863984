// Waits of a block's threads, other than the barriers and warp functions of language/warp_test.cpp.
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

executor::Site site(const char* function, int line = __builtin_LINE()) {
  return {function, __FILE__, line};
}

/// Two groups of two warps each sum their threads' ranks, twice.
__global__ void groupKernel(int* out) {
  const auto add = [](std::uint64_t* sum, std::uint64_t value) { *sum += value; };
  const unsigned first = threadIdx.x / 64 * 64;
  const int once = static_cast<int>(executor::waitForGroup(first, 64, threadIdx.x, add));
  const int again = static_cast<int>(executor::waitForGroup(first, 64, 1, add));
  out[threadIdx.x] = once + 10000 * again;
}

__global__ void groupLeftKernel() {
  if (threadIdx.x != 70) executor::waitForGroup(64, 64, 0, [](std::uint64_t*, std::uint64_t) {});
}

/// Each thread holds the lock in turn, as no GPU would have them do, though it works.
__global__ void lockKernel(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) executor::yieldThread();
  const int before = *count;
  executor::yieldThread();
  *count = before + 1;
  atomicExch(lock, 0);
}

/// Spins without a word to the scheduler.
__global__ void spinKernel(int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    out[0] = 7;
  } else if (threadIdx.x == 1) {
    atomicExch(flag, 1);
  }
}

bool isSet(const void* flag) { return *static_cast<const int*>(flag) != 0; }

__global__ void conditionKernel(int* flag, int* out) {
  if (threadIdx.x == 9) *flag = 1;
  else executor::waitUntil(site("flag"), isSet, flag);
  out[threadIdx.x] = *flag;
}

}  // namespace

TEST_CASE("groups of several warps wait and fold") {
  inEveryOrder([] {
    DeviceArray<int> out(128, "out");
    launch({1, 128}, groupKernel, out.data());
    for (int t = 0; t < 128; ++t)
      CHECK(out.download()[t] == 64 * 10000 + (t < 64 ? 63 * 32 : 63 * 32 + 64 * 64));
  });
}

TEST_CASE("a group that a thread never joins is reported") {
  checkParts(messageOf(launching({1, 128}, groupLeftKernel)),
             {"executor: divergent barrier", "wait at a wait for several warps"});
}

TEST_CASE("threads that spin let others go on") {
  inEveryOrder([] {
    DeviceArray<int> lock(1, "lock"), count(1, "count"), out(16, "out");
    lock.clear();
    count.clear();
    launch({1, 64}, lockKernel, lock.data(), count.data());
    CHECK(count.download() == std::vector<int>{64});
    launch({1, 2}, spinKernel, lock.data(), out.data());
    CHECK(out.download()[0] == 7);
    launch({1, 16}, conditionKernel, count.data(), out.data());
  });
}
