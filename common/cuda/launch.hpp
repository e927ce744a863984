/// \file
/// launch(): starts a kernel on a GPU or on the executor.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "cuda/check.hpp"

#ifndef NBODY_GPU
#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/threads.hpp"
#endif

namespace nbody {

/// Blocks in the grid, threads in a block and bytes of dynamic shared memory, with the place of the
/// launch.
struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes;
  const char* file;
  int line;

  LaunchShape(dim3 grid,
              dim3 block,
              std::size_t sharedBytes = 0,
              const char* file = __builtin_FILE(),
              int line = __builtin_LINE())
      : grid(grid), block(block), sharedBytes(sharedBytes), file(file), line(line) {}
};

/// Blocks of \p block threads that cover \p count items, rounded up.
inline unsigned blocksFor(int count, int block) {
  return (static_cast<unsigned>(count) + block - 1) / block;
}

#ifdef NBODY_GPU

/// The stream of all the suite's GPU work: not the legacy one, so that the work can be captured in
/// a graph.
cudaStream_t stream();

/// Throws CudaError for a launch that failed; BadInput where the block is larger than \p kernel's
/// registers allow.
void checkLaunch(cudaError_t status, const LaunchShape& shape, const void* kernel);

#ifdef __CUDACC__
// [launch]
/// Starts \p kernel on the suite's stream and checks the launch. Returns before the kernel has run.
template <class... Parameters, class... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), Arguments&&... arguments) {
  kernel<<<shape.grid, shape.block, shape.sharedBytes, stream()>>>(
      static_cast<Parameters>(arguments)...);
  checkLaunch(cudaGetLastError(), shape, reinterpret_cast<const void*>(kernel));
}
// [launch]

/// This block's dynamic shared memory as an array of T, `sharedBytes` of the launch long.
template <class T>
__device__ T* dynamicShared() {
  extern __shared__ __align__(16) unsigned char dynamicSharedBytes[];
  return reinterpret_cast<T*>(dynamicSharedBytes);
}
#endif

#else

/// Runs \p kernel on the CPU executor. Throws executor::KernelError where the kernel is wrong.
template <class... Parameters, class... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), Arguments&&... arguments) {
  // Copied at the launch, as on a GPU: no thread of the kernel reads the host's own.
  auto thread = [kernel,
                 copies = std::tuple<Parameters...>(static_cast<Parameters>(arguments)...)] {
    std::apply(kernel, copies);
  };
  executor::checker::setArguments(&thread, sizeof thread);
  executor::runGrid({shape.grid,
                     shape.block,
                     shape.sharedBytes,
                     shape.file,
                     shape.line,
                     [](const void* body) { (*static_cast<const decltype(thread)*>(body))(); },
                     &thread});
}

/// This block's dynamic shared memory as an array of T, `sharedBytes` of the launch long.
template <class T>
T* dynamicShared(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  executor::checker::describeDynamicShared(sizeof(T), file, line);
  return static_cast<T*>(executor::dynamicSharedBytes());
}

#endif

}  // namespace nbody
