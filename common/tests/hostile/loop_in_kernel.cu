// Kind: endless run
// Tries: a kernel that does not end.
// Stopped by: the time of a run; nothing is run after it.
#include "honest.hpp"

__global__ void loopKernel(volatile const real4* bodies) {
  while (bodies[0].w > 0) continue;
}

void answer(Call call) {
  loopKernel<<<1, 1, 0, stream()>>>(call.bodies.data());
  CUDA_CHECK(cudaGetLastError());
  honest(call);
}
