// What threads of a block and of a grid may wait for beyond a plain barrier.
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

executor::Site site(const char* function, int line = __builtin_LINE()) {
  return {function, __FILE__, line};
}

/// Votes at two barriers in a row.
__global__ void voteKernel(int* counts) {
  const int few = executor::waitForBlock(site("vote"), threadIdx.x < 5);
  const int all = executor::waitForBlock(site("vote"), true);
  counts[threadIdx.x] = few * 1000 + all;
}

void reversed(const std::uint64_t* values, unsigned lanes, std::uint64_t* results) {
  for (int lane = 0; lane < 32; ++lane)
    if ((lanes >> lane & 1) != 0) results[lane] = values[31 - lane] + 100;
}

__global__ void gatherKernel(int* out) {
  out[threadIdx.x] = static_cast<int>(executor::waitForWarp(
      site("gather"), executor::WarpOperation::gather, kAllLanes, threadIdx.x, 0, reversed));
}

__global__ void activeKernel(unsigned* masks) {
  const unsigned all = executor::converge(site("active"));
  unsigned some = 0;
  if (threadIdx.x % 3 == 0) some = executor::converge(site("active"));
  else some = executor::converge(site("active"));
  masks[2 * threadIdx.x] = all;
  masks[2 * threadIdx.x + 1] = some;
}

struct Wide {
  double x, y, z;
};
__global__ void wideShuffleKernel(double* out) {
  const double t = threadIdx.x;
  const Wide got =
      executor::shuffle(site("shuffle"), kAllLanes, Wide{t, 10 * t, 100 * t}, threadIdx.x ^ 1);
  out[threadIdx.x] = got.x + got.y + got.z;
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

TEST_CASE("a barrier counts the threads whose predicate holds") {
  inEveryOrder([] {
    DeviceArray<int> counts(100, "counts");
    launch({1, 100}, voteKernel, counts.data());
    CHECK(counts.download() == std::vector<int>(100, 5100));
  });
}

TEST_CASE("lanes gather each other's values") {
  DeviceArray<int> out(32, "out");
  launch({1, 32}, gatherKernel, out.data());
  for (int lane = 0; lane < 32; ++lane) CHECK(out.download()[lane] == 131 - lane);
}

TEST_CASE("the active lanes are those that have come to the same line") {
  inEveryOrder([] {
    DeviceArray<unsigned> masks(2 * 40, "masks");
    launch({1, 40}, activeKernel, masks.data());
    const std::vector<unsigned> found = masks.download();
    const unsigned third = 0x49249249u;  // lanes 0, 3, ...
    for (int t = 0; t < 40; ++t) {
      const unsigned warp = t < 32 ? kAllLanes : 0xffu;
      const unsigned ofThird = t < 32 ? third : 0x92u;  // thread 33 is lane 1
      CHECK(found[2 * t] == warp);
      CHECK(found[2 * t + 1] == (t % 3 == 0 ? ofThird : warp & ~ofThird));
    }
  });
}

TEST_CASE("a shuffle takes values of any size") {
  DeviceArray<double> out(32, "out");
  launch({1, 32}, wideShuffleKernel, out.data());
  for (int lane = 0; lane < 32; ++lane) CHECK(out.download()[lane] == 111 * (lane ^ 1));
}

TEST_CASE("groups of several warps wait and fold") {
  inEveryOrder([] {
    DeviceArray<int> out(128, "out");
    launch({1, 128}, groupKernel, out.data());
    for (int t = 0; t < 128; ++t)
      CHECK(out.download()[t] == 64 * 10000 + (t < 64 ? 63 * 32 : 63 * 32 + 64 * 64));
  });
}

TEST_CASE("a group that a thread never joins is reported") {
  checkParts(messageOf([] {
               launch({1, 128}, groupLeftKernel);
             }),
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
