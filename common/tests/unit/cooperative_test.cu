// Launches whose threads wait for the whole grid.
#include "cooperative_groups.h"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

executor::Site site(int line = __builtin_LINE()) { return {"sync()", __FILE__, line}; }

/// Starts \p kernel as a cooperative launch does.
template <class... Parameters>
void launchCooperative(unsigned blocks,
                       unsigned threads,
                       void (*kernel)(Parameters...),
                       Parameters... arguments) {
  void* pointers[] = {&arguments...};
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, threads, pointers, 16, stream()));
}

/// Rounds of a sum over neighbours; each block keeps its own in both kinds of shared memory.
__global__ void neighboursKernel(int* values, int* out, int rounds) {
  __shared__ int own;
  extern __shared__ int dynamic[];
  const unsigned before = (blockIdx.x + gridDim.x - 1) % gridDim.x;
  if (threadIdx.x == 0) own = dynamic[0] = static_cast<int>(blockIdx.x);
  for (int round = 0; round < rounds; ++round) {
    executor::waitForBlock(site());
    if (threadIdx.x == 0) values[blockIdx.x] = own;
    executor::waitForGrid(site());
    if (threadIdx.x == 1) own += values[before];
    executor::waitForGrid(site());
  }
  if (threadIdx.x == 2) out[blockIdx.x] = own * 100 + dynamic[0];
}

/// The same on the host.
std::vector<int> neighbours(int blocks, int rounds) {
  std::vector<int> own(blocks), result(blocks);
  for (int b = 0; b < blocks; ++b) own[b] = b;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> values = own;
    for (int b = 0; b < blocks; ++b) own[b] += values[(b + blocks - 1) % blocks];
  }
  for (int b = 0; b < blocks; ++b) result[b] = own[b] * 100 + b;
  return result;
}

__global__ void oneBlockLeavesKernel() {
  if (blockIdx.x != 1) executor::waitForGrid(site());
}
constexpr int kLeavesLine = __LINE__ - 2;

__global__ void waitsKernel() { cooperative_groups::this_grid().sync(); }

}  // namespace

TEST_CASE("a grid's threads wait for each other, and each block keeps its shared memory") {
  inEveryOrder([] {
    DeviceArray<int> values(7, "values"), out(7, "out");
    launchCooperative(7, 40, neighboursKernel, values.data(), out.data(), 4);
    CHECK(out.download() == neighbours(7, 4));
    launchCooperative(1, 3, neighboursKernel, values.data(), out.data(), 2);
    CHECK(out.download()[0] == 0);
  });
}

TEST_CASE("a block that returns while others wait for the grid is reported") {
  inEveryOrder([] {
    checkParts(messageOf([] { launchCooperative(3, 32, oneBlockLeavesKernel); }),
               {"executor: divergent grid barrier: 2 blocks wait at sync() at "
                "unit/cooperative_test.cu:" +
                    std::to_string(kLeavesLine),
                "but 1 block has returned"});
  });
  launchCooperative(3, 32, waitsKernel);
}

TEST_CASE("a wait for the grid in a launch that is not cooperative is reported") {
  checkParts(messageOf([] {
               launch({2, 32}, waitsKernel);
             }),
             {"executor: grid barrier: thread (0,0,0) of block (",
              "start the kernel with cudaLaunchCooperativeKernel()"});
}

TEST_CASE("a cooperative launch of more threads than can run at once is refused") {
  checkParts(messageOf([] { launchCooperative(1000, 1024, waitsKernel); }),
             {"executor: invalid launch", "at most 16 blocks of this size", "asks for (1000,1,1)"});
}
