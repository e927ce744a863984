// Tests which memory a kernel may use, and what counts as written.
#include <thread>

#include "checker_reports.hpp"
#include "executor/checker/checker.hpp"
#include "executor/language/device_functions.hpp"

using namespace nbody;

namespace {

int hostCount = 3;
const int kHostConstants[3] = {1, 2, 3};

__global__ void readKernel(const int* from, int* out) { out[threadIdx.x] = from[threadIdx.x]; }

__global__ void constantsKernel(int* out) { out[threadIdx.x] = kHostConstants[threadIdx.x % 3]; }

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const { return 0; }
};
struct Triangle : Shape {
  int corners() const override { return 3; }
};

__global__ void moveKernel(int* to, const int* from, int bytes) {
  if (threadIdx.x == 0) std::memmove(to, from, bytes);
}
__global__ void copyToLocalKernel(int* out, const int* from, int bytes) {
  int local[8] = {};
  std::memcpy(local, from, bytes);
  out[threadIdx.x] = local[threadIdx.x];
}

/// Objects with virtual functions, made where memory was never written.
__global__ void virtualKernel(void* room, int* out) {
  Shape* const shape = new (static_cast<char*>(room) + 16 * threadIdx.x) Triangle;
  out[threadIdx.x] = shape->corners();
}

struct Pair {
  int a, b;
  Pair() {}
};

/// A shared array of a class: a compiler guards its construction.
__global__ void sharedOfClassKernel(int* out) {
  __shared__ Pair pairs[kBlock];
  pairs[threadIdx.x].a = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = pairs[kBlock - 1 - threadIdx.x].a;
}

/// Fails in some threads of each block; its file has instrumented copies of what std::string does.
__global__ void assertKernel(const char* text, int* out) {
  const std::string copy(text);
  if (threadIdx.x >= 28) executor::assertFailed("x < 28", __FILE__, __LINE__, __func__);
  out[threadIdx.x] = static_cast<int>(copy.size());
}

}  // namespace

TEST_CASE("memory of another allocator is watched while it is adopted") {
  namespace checker = executor::checker;
  auto out = zeros<int>(8, "out");
  std::vector<int> memory(3 * 8);
  int* const middle = memory.data() + 8;
  const auto read = [&](int threads) {
    launch(LaunchShape(1, threads), readKernel, middle, out.data());
  };
  checker::adopt(middle, 32, 32, "adopted", false);
  checker::describe(middle, "adopted", sizeof(int));
  requireReport([&] { read(1); }, "uninitialised global memory: adopted[0]", {});
  checker::markWritten(middle, 16);
  requireQuiet([&] { read(4); });
  requireReport([&] { read(5); }, "uninitialised global memory: adopted[4]", {});
  checker::adopt(middle, 32, 32, "adopted", true);
  checker::describe(middle, "adopted", sizeof(int));
  requireQuiet([&] { read(8); });
  requireReport(launching({1, 1}, readKernel, middle + 8, out.data()),
                "out of bounds of global memory: adopted[8] of 8 elements (32 bytes)", {});
  checker::disown(middle);
  CHECK(contains(reportsOf([&] { read(1); }), "out of bounds: a kernel uses "));
}

TEST_CASE("a copy is as written as what it was made of") {
  auto out = zeros<int>(8, "out");
  DeviceArray<int> from(8, "from"), to(8, "to");
  executor::checker::markWritten(from.data(), 5);  // a word and a byte
  executor::checker::copyWritten(to.data(), from.data(), 32);
  requireQuiet(launching({1, 1}, readKernel, to.data(), out.data()));
  requireReport(launching({1, 2}, readKernel, to.data(), out.data()),
                "uninitialised global memory: to[1]", {});
  executor::checker::markWritten(to.data(), 32);
  requireQuiet(launching({1, 8}, readKernel, to.data(), out.data()));
  executor::checker::markUnwritten(static_cast<char*>(static_cast<void*>(to.data())) + 5, 2);
  requireReport(launching({1, 8}, readKernel, to.data(), out.data()),
                "uninitialised global memory: to[1]", {"  read by thread (1,0,0)"});
}

TEST_CASE("a kernel's copy is no use of what it copies, and as written") {
  auto out = zeros<int>(8, "out");
  DeviceArray<int> from(8, "from"), to(8, "to");
  const auto move = [](int* target, const int* source, int bytes) {
    CHECK(reportsOf(launching({1, 1}, moveKernel, target, source, bytes)) == "");
  };
  const auto checkWritten = [&](int count) {
    const auto read = [&](int threads) {
      launch(LaunchShape(1, threads), readKernel, to.data(), out.data());
    };
    if (count > 0) requireQuiet([&] { read(count); });
    requireReport([&] { read(count + 1); },
                  "uninitialised global memory: to[" + std::to_string(count) + "]", {});
  };
  executor::checker::markWritten(from.data(), 9);  // two words and a byte
  move(to.data(), from.data(), 32);
  checkWritten(2);
  move(to.data() + 1, to.data(), 12);  // over itself
  checkWritten(3);
  move(to.data(), from.data() + 4, 4);  // what was written is no longer
  checkWritten(0);
  requireQuiet(launching({1, 1}, copyToLocalKernel, out.data(), from.data(), 8));
  requireReport(launching({1, 1}, copyToLocalKernel, out.data(), from.data(), 12),
                "uninitialised global memory: from[2]", {});
}

TEST_CASE("what a launch that is not checked writes counts as written") {
  DeviceArray<int> from(8, "from"), out(8, "out");
  const auto launchUnchecked = [&] {
    executor::checker::setEnabled(false);
    launch({1, 8}, readKernel, from.data() + 100, out.data());  // out of bounds, unseen
    executor::checker::setEnabled(true);
  };
  requireReport(launching({1, 1}, readKernel, from.data(), out.data()),
                "uninitialised global memory: from[0]", {});
  launchUnchecked();
  requireQuiet(launching({1, 8}, readKernel, from.data(), out.data()));
}

TEST_CASE("objects with virtual functions and shared arrays of classes are right") {
  DeviceArray<char> room(16 * kBlock, "room");
  DeviceArray<int> out(kBlock, "out");
  requireQuiet(launching(kOneBlock, virtualKernel, static_cast<void*>(room.data()), out.data()));
  CHECK(out.download() == std::vector<int>(kBlock, 3));
  requireQuiet(launching(kOneBlock, sharedOfClassKernel, out.data()));
}

TEST_CASE("what the host keeps for each of its threads stays after a launch, its device too") {
  static thread_local int kept = 7;
  DeviceArray<int> out(kBlock, "out");
  requireQuiet(launching(kOneBlock, sharedOfClassKernel, out.data()));
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
