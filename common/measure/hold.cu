// GPU builds only.
#include "cuda/cuda.hpp"
#include "measure/timing.hpp"

namespace nbody {

/// One thread spins for \p ticks ticks of the SM's clock.
static __global__ void holdKernel(long long ticks) {
  for (const long long start = clock64(); clock64() - start < ticks;) {
  }
}

void holdDevice() {
  constexpr long long kTicks = 2'000'000;  // a millisecond
  holdKernel<<<1, 1, 0, stream()>>>(kTicks);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
