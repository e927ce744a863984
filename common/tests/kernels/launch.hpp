/// \file
/// Launches kernels in tests, which pass a kernel and its launch shape as arguments.
#pragma once

#include <functional>

#include "cuda/cuda.hpp"

namespace nbody {

/// The blocks of a grid, the threads of a block and the bytes of dynamic shared memory.
struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes;

  LaunchShape(dim3 grid, dim3 block, std::size_t sharedBytes = 0)
      : grid(grid), block(block), sharedBytes(sharedBytes) {}
};

/// Starts \p kernel on the suite's stream and checks the launch.
template <class... Parameters, class... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  kernel<<<shape.grid, shape.block, shape.sharedBytes, stream()>>>(
      static_cast<Parameters>(arguments)...);
  CUDA_CHECK(cudaGetLastError());
}

/// Returns a function that makes the same launch.
template <class... Parameters, class... Arguments>
std::function<void()> launching(const LaunchShape& shape, void (*kernel)(Parameters...),
                                Arguments... arguments) {
  return [=] { launch(shape, kernel, arguments...); };
}

/// Returns what \p kernel writes to its first argument, an array of \p count elements.
template <class T, class... Parameters, class... Arguments>
std::vector<T> leftBy(void (*kernel)(T*, Parameters...), int count, const LaunchShape& shape,
                      Arguments... arguments) {
  DeviceArray<T> out(count, "out");
  launch(shape, kernel, out.data(), arguments...);
  return out.download();
}

}  // namespace nbody
