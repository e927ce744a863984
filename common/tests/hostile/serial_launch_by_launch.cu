// Kind: serial loop
// Tries: a launch of one thread for each body, none of which does much.
// Stopped by: the sum over the launches of what the longest thread of each took.
// Most: 40
#include "serial.hpp"

__global__ void serialKernel(const real4* bodies,
                             int count,
                             real eps2,
                             int i,
                             real4* accelerations) {
  accelerations[i] = serialSum(bodies, count, eps2, i);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  for (int i = 0; i < count; ++i)
    serialKernel<<<1, 1, 0, stream()>>>(
        call.bodies.data(), count, call.softeningSquared, i, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
