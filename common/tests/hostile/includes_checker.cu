// Kind: checker of its own
// Tries: to change what the checker knows by its own headers: nothing is watched.
// Stopped by: what is not watched does not count as written by a kernel.
// Most: 100
#include "executor/checker/running.hpp"
#include "honest.hpp"

using namespace nbody::executor;

__global__ void unwatched(const real4* bodies, int count, real eps2, real4* accelerations) {
  checker::running.watch = checker::Watch::nothing;
  honestKernel(bodies, count, eps2, accelerations);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  unwatched<<<blocksFor(count, 256), 256, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
