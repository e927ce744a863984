// Grid barriers order all blocks; what comes between two of them is checked as ever.
#include "checker_reports.hpp"

using namespace nbody;

namespace {

template <class... Parameters>
void launchCooperative(void (*kernel)(Parameters...), Parameters... arguments) {
  void* pointers[] = {&arguments...};
  CUDA_CHECK(cudaLaunchCooperativeKernel(
      kernel, 3, kBlock, pointers, kBlock * sizeof(int), stream()));
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
