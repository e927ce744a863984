// Kernels that get the addresses of local variables of the host, of functions that run or have returned.
#include <thread>

#include "checker_reports.hpp"

using namespace nbody;

namespace {

struct View {
  const int* data;
};

__global__ void pointerKernel(const int* from, int* out) { out[0] = from[0]; }
constexpr int kPointerLine = __LINE__ - 1;

__global__ void referenceKernel(const int& from, int* out) { out[0] = from; }
constexpr int kReferenceLine = __LINE__ - 1;

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
  requireReport(work, "out of bounds: a kernel uses host memory: a variable on the host's stack",
                {at(line, "")});
}

}  // namespace

TEST_CASE("a local variable of the host is named, whether its function runs or has returned") {
  auto out = zeros<int>(1, "out");
  int live = 3;
  const View view{out.data()};
  requireStack(launching({1, 1}, pointerKernel, &live, out.data()), kPointerLine);
  requireStack(launching({1, 1}, pointerKernel, ofReturned(), out.data()), kPointerLine);
  requireStack(
      [&] {
        launchWithOwn(out.data());
        synchronizeDevice();
      },
      kPointerLine);
  requireStack(launching({1, 1}, viewKernel, &view, out.data()), kViewLine);
  constexpr int kClosureLine = __LINE__ + 1;
  const auto closure = [&live] __device__ { return live; };
  requireStack(
      [&] {
        launch({1, 1}, functionKernel<decltype(closure)>, closure, out.data());
      },
      kClosureLine);
}

TEST_CASE("a kernel's reference is to the variable itself: the device's, or one of the host's") {
  auto out = zeros<int>(2, "out");
  requireQuiet([&] {
    referenceKernel<<<1, 1, 0, stream()>>>(out.data()[1], out.data());
    synchronizeDevice();
  });
  const int live = 3;
  requireStack(
      [&] {
        referenceKernel<<<1, 1, 0, stream()>>>(live, out.data());
        synchronizeDevice();
      },
      kReferenceLine);
}

TEST_CASE("a local variable of another thread is memory of the host") {
  auto out = zeros<int>(1, "out");
  const int* ofThread = nullptr;
  std::thread([&] { ofThread = ofReturned(); }).join();
  requireReport(
      launching({1, 1}, pointerKernel, ofThread, out.data()),
      "out of bounds: a kernel uses host memory: the checker does not know where it was allocated",
      {at(kPointerLine, "")});
}
