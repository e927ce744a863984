// Kernels that leave an array's bounds: each ends its process with ASan's report.
#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"
#include "cuda/cuda.hpp"
#include "orders.hpp"

using namespace nbody;

namespace {

constexpr int kBlock = 64;
const LaunchShape kOneBlock(1, kBlock);

__global__ void staticSharedKernel(float* out, int past) {
  __shared__ float tile[kBlock];
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + past];
}
constexpr int kStaticLine = __LINE__ - 2;

__global__ void dynamicSharedKernel(float4* out, int past) {
  float4* tile = dynamicShared<float4>();
  tile[threadIdx.x + past] = {1, 2, 3, 4};
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
constexpr int kDynamicLine = __LINE__ - 4;

__global__ void globalKernel(float* out, int past) { out[threadIdx.x + past] = 1; }
constexpr int kGlobalLine = __LINE__ - 1;

/// What a process of its own prints on stderr while it does \p work, and how it ends.
struct End {
  int status;
  std::string text;
};
End endOf(const std::function<void()>& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    work();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t length; (length = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(length));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {WEXITSTATUS(status), text};
}

/// \p launchPast launches a kernel that goes that far past the end of an array.
void requireFound(const std::function<void(int)>& launchPast, const char* what, int line) {
  inEveryOrder([&] {
    const End right = endOf([&] { launchPast(0); });
    INFO(right.text);
    REQUIRE(right.status == 0);
    REQUIRE(right.text.empty());
    const End wrong = endOf([&] { launchPast(1); });
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
               "global-buffer-overflow",
               kStaticLine);
}

TEST_CASE("ASan finds a write past the end of dynamic shared memory") {
  DeviceArray<float4> out(kBlock, "out");
  requireFound(
      [&](int past) {
        launch({1, kBlock, kBlock * sizeof(float4)}, dynamicSharedKernel, out.data(), past);
      },
      "use-after-poison",
      kDynamicLine);
}

TEST_CASE("ASan finds a write past the end of global memory") {
  DeviceArray<float> out(kBlock, "out");
  requireFound([&](int past) { launch(kOneBlock, globalKernel, out.data(), past); },
               "heap-buffer-overflow",
               kGlobalLine);
}
