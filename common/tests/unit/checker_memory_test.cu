// Which memory a kernel may use, and what counts as written; local variables of host functions that run or have
// returned are none.
#include <thread>

#include "checker_reports.hpp"
#include "executor/checker/checker.hpp"

using namespace nbody;

namespace {

#define NBODY_DEVICE __attribute__((used, section("nbody_device")))

NBODY_DEVICE int deviceCounts[4];
int hostCount = 3;
const int kHostConstants[3] = {1, 2, 3};

__global__ void deviceVariableKernel(int index) { deviceCounts[index] = 1; }

__global__ void readKernel(const int* from, int* out) { out[threadIdx.x] = from[threadIdx.x]; }

__global__ void constantsKernel(int* out) { out[threadIdx.x] = kHostConstants[threadIdx.x % 3]; }

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const { return 0; }
};
struct Triangle : Shape {
  int corners() const override { return 3; }
};

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

struct View {
  const int* data;
};

__global__ void pointerKernel(const int* from, int* out) { out[0] = from[0]; }
constexpr int kPointerLine = __LINE__ - 1;

__global__ void viewKernel(const View* view, int* out) { out[0] = view->data[0]; }
constexpr int kViewLine = __LINE__ - 1;

template <class F>
__global__ void functionKernel(F f, int* out) {
  out[0] = f();
}

/// The address of what is no more: the compiler is not to see that.
__attribute__((noinline)) const int* ofReturned() {
  const int local = 5;
  const int* volatile address = &local;
  return address;
}

__attribute__((noinline)) void launchWithOwn(int* out) {
  const int local[4] = {};
  pointerKernel<<<1, 1, 0, stream()>>>(local, out);
}

void requireStack(const std::function<void()>& work, int line) {
  requireReport(work,
                "out of bounds: a kernel uses host memory: a variable on the host's stack",
                {at(line, "")});
}

}  // namespace

TEST_CASE("a __device__ variable is an array with bounds and races") {
  requireQuiet([] { launch({1, 1}, deviceVariableKernel, 2); });
  const std::string outside = reportsOf([] { launch({1, 1}, deviceVariableKernel, 4); });
  INFO(outside);
  CHECK(contains(outside, "out of bounds of global memory: deviceCounts[4] of 4 elements"));
}

TEST_CASE("memory of the host is named") {
  auto out = zeros<int>(1, "out");
  int onStack = 4;
  const std::vector<int> onHeap = {1};
  const auto read = [&](const int* from) {
    return [&out, from] { launch({1, 1}, readKernel, from, out.data()); };
  };
  requireReport(read(&onStack),
                "out of bounds: a kernel uses host memory: a variable on the host's stack",
                {"  read of 4 bytes by thread (0,0,0)", "for example from cudaMalloc()"});
  requireReport(read(&hostCount),
                "out of bounds: a kernel uses host memory: the host's variable (anonymous "
                "namespace)::hostCount",
                {});
  requireReport(
      read(onHeap.data()),
      "out of bounds: a kernel uses host memory: the checker does not know where it was allocated",
      {});
  requireQuiet([&] { launch({1, 1}, constantsKernel, out.data()); });
}

TEST_CASE("what a launch that is not checked writes counts as written") {
  DeviceArray<int> from(8, "from"), out(8, "out");
  const auto launchUnchecked = [&] {
    executor::checker::setEnabled(false);
    launch({1, 8}, readKernel, from.data() + 100, out.data());  // out of bounds, unseen
    executor::checker::setEnabled(true);
  };
  requireReport(
      [&] {
        launch({1, 1}, readKernel, from.data(), out.data());
      },
      "uninitialised global memory: from[0]",
      {});
  launchUnchecked();
  requireQuiet([&] { launch({1, 8}, readKernel, from.data(), out.data()); });
}

TEST_CASE("objects with virtual functions and shared arrays of classes are right") {
  DeviceArray<char> room(16 * kBlock, "room");
  DeviceArray<int> out(kBlock, "out");
  requireQuiet(
      [&] { launch(kOneBlock, virtualKernel, static_cast<void*>(room.data()), out.data()); });
  CHECK(out.download() == std::vector<int>(kBlock, 3));
  requireQuiet([&] { launch(kOneBlock, sharedOfClassKernel, out.data()); });
}

TEST_CASE("what the host keeps for each of its threads stays after a launch, its device too") {
  static thread_local int kept = 7;
  DeviceArray<int> out(kBlock, "out");
  requireQuiet([&] { launch(kOneBlock, sharedOfClassKernel, out.data()); });
  CHECK(kept == 7);
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
}

TEST_CASE("host threads beside a kernel are not checked") {
  DeviceArray<int> out(kBlock, "out");
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) ++hostCount;
  });
  requireQuiet([&] { launch({40, 3}, constantsKernel, out.data()); });
  stop = true;
  other.join();
}

TEST_CASE("a local variable of the host is named, whether its function runs or has returned") {
  auto out = zeros<int>(1, "out");
  int live = 3;
  const View view{out.data()};
  requireStack([&] { launch({1, 1}, pointerKernel, &live, out.data()); }, kPointerLine);
  requireStack([&] { launch({1, 1}, pointerKernel, ofReturned(), out.data()); }, kPointerLine);
  requireStack(
      [&] {
        launchWithOwn(out.data());
        synchronizeDevice();
      },
      kPointerLine);
  requireStack([&] { launch({1, 1}, viewKernel, &view, out.data()); }, kViewLine);
  constexpr int kClosureLine = __LINE__ + 1;
  const auto closure = [&live] __device__ { return live; };
  requireStack(
      [&] {
        launch({1, 1}, functionKernel<decltype(closure)>, closure, out.data());
      },
      kClosureLine);
}

TEST_CASE("a local variable of another thread is memory of the host") {
  auto out = zeros<int>(1, "out");
  const int* ofThread = nullptr;
  std::thread([&] { ofThread = ofReturned(); }).join();
  requireReport(
      [&] {
        launch({1, 1}, pointerKernel, ofThread, out.data());
      },
      "out of bounds: a kernel uses host memory: the checker does not know where it was allocated",
      {at(kPointerLine, "")});
}
