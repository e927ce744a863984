// Tests what the checker must leave alone: memory of the host's threads, and of messages. Programs in programs/ test
// which accesses it reports.
#include <thread>

#include "checker_reports.hpp"
#include "executor/language/device_functions.hpp"

using namespace nbody;

namespace {

int hostCount = 3;
const int kHostConstants[3] = {1, 2, 3};

__global__ void readKernel(const int* from, int* out) { out[threadIdx.x] = from[threadIdx.x]; }

__global__ void constantsKernel(int* out) { out[threadIdx.x] = kHostConstants[threadIdx.x % 3]; }

__global__ void sharedKernel(int* out) {
  __shared__ int own[kBlock];
  own[threadIdx.x] = 1;
  out[threadIdx.x] = own[threadIdx.x];
}

/// Fails in some threads of each block; its file has instrumented copies of what std::string does.
__global__ void assertKernel(const char* text, int* out) {
  const std::string copy(text);
  if (threadIdx.x >= 28) executor::assertFailed("x < 28", __FILE__, __LINE__, __func__);
  out[threadIdx.x] = static_cast<int>(copy.size());
}

}  // namespace

TEST_CASE("what is poisoned counts as unwritten") {
  DeviceArray<int> values(kBlock, "values"), out(kBlock, "out");
  values.clear();
  requireQuiet(launching(kOneBlock, readKernel, values.data(), out.data()));
  values.poison();
  CHECK(contains(reportsOf(launching(kOneBlock, readKernel, values.data(), out.data())),
                 "uninitialised global memory: values["));
}

TEST_CASE("what the host keeps for each of its threads stays after a launch, its device too") {
  static thread_local int kept = 7;
  DeviceArray<int> out(kBlock, "out");
  requireQuiet(launching(kOneBlock, sharedKernel, out.data()));
  CHECK(kept == 7);
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
}

TEST_CASE("the message of a failed assertion is no access by the kernel") {
  DeviceArray<char> text(40, "text");
  DeviceArray<int> out(kBlock, "out");
  text.upload(std::vector<char>(40, '\0'));
  const std::string reports = reportsOf(launching({2, 32}, assertKernel, text.data(), out.data()));
  INFO(reports);
  CHECK(countOf(reports, "executor: ") == 1);
  CHECK(contains(reports, "executor: assertion failed: '"));
  CHECK(contains(reports, "' is false in thread (28,0,0) of block (0,0,0), in "));
}

TEST_CASE("host threads that run during a kernel are not checked") {
  DeviceArray<int> out(kBlock, "out");
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) ++hostCount;
  });
  requireQuiet(launching({40, 3}, constantsKernel, out.data()));
  stop = true;
  other.join();
}
