// Kernels that leave an array's bounds: each ends its process with ASan's report.
#include "checker_reports.hpp"
#include "child_process.hpp"
#include "cooperative_groups.h"

using namespace nbody;

namespace {

__global__ void staticSharedKernel(float* out, int past) {
  __shared__ float tile[kBlock];
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + past];
}
constexpr int kStaticLine = __LINE__ - 2;

__global__ void dynamicSharedKernel(float4* out, int past) {
  extern __shared__ float4 tile[];
  tile[threadIdx.x + past] = {1, 2, 3, 4};
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
constexpr int kDynamicLine = __LINE__ - 4;

__global__ void globalKernel(float* out, int past) { out[threadIdx.x + past] = 1; }
constexpr int kGlobalLine = __LINE__ - 1;

__global__ void fullKernel(float* out) {
  __shared__ float tile[10 * 1024];
  extern __shared__ float more[];
  tile[threadIdx.x] = more[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + more[threadIdx.x];
}

__global__ void keptKernel(int* out) {
  __shared__ int own;
  if (threadIdx.x == 0) own = static_cast<int>(blockIdx.x);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = own;
}

/// \p launchPast launches a kernel that goes that far past the end of an array.
void requireFound(const std::function<void(int)>& launchPast, const char* what, int line) {
  inEveryOrder([&] {
    const ChildEnd right = inChild([&] { launchPast(0); });
    INFO(right.text);
    REQUIRE(right.status == 0);
    REQUIRE(right.text.empty());
    const ChildEnd wrong = inChild([&] { launchPast(1); });
    INFO(wrong.text);
    REQUIRE(wrong.status == 1);
    REQUIRE(contains(wrong.text, what));
    REQUIRE(contains(wrong.text, "checker_asan_test.cu:" + std::to_string(line)));
  });
}

}  // namespace

TEST_CASE("ASan finds a read past the end of static shared memory") {
  DeviceArray<float> out(kBlock, "out");
  requireFound([&](int past) { launch(kOneBlock, staticSharedKernel, out.data(), past); },
               "global-buffer-overflow", kStaticLine);
}

TEST_CASE("ASan finds a write past the end of dynamic shared memory") {
  DeviceArray<float4> out(kBlock, "out");
  requireFound(
      [&](int past) {
        launch({1, kBlock, kBlock * sizeof(float4)}, dynamicSharedKernel, out.data(), past);
      },
      "use-after-poison", kDynamicLine);
}

TEST_CASE("ASan finds a write past the end of global memory") {
  DeviceArray<float> out(kBlock, "out");
  requireFound([&](int past) { launch(kOneBlock, globalKernel, out.data(), past); },
               "heap-buffer-overflow", kGlobalLine);
}

TEST_CASE("static shared memory counts under ASan too") {
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, fullKernel) == cudaSuccess);
  REQUIRE(attributes.sharedSizeBytes == 40 * 1024);
  DeviceArray<float> out(kBlock, "out");
  float* words = out.data();
  void* arguments[] = {&words};
  const auto launchWith = [&](int bytes) {
    return cudaLaunchKernel(reinterpret_cast<void*>(fullKernel), 1, kBlock, arguments, bytes,
                            stream());
  };
  REQUIRE(launchWith(8 * 1024 + 1) == cudaErrorInvalidValue);
  REQUIRE(launchWith(8 * 1024) == cudaSuccess);
}

TEST_CASE("each block of a cooperative launch has its own static shared memory under ASan") {
  DeviceArray<int> out(3, "out");
  int* words = out.data();
  void* arguments[] = {&words};
  REQUIRE(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(keptKernel), 3, kBlock, arguments, 0,
                                      stream()) == cudaSuccess);
  synchronizeDevice();
  REQUIRE(out.download() == std::vector<int>{0, 1, 2});
}
