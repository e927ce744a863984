// Kind: serial loop
// Tries: a kernel of one thread that sums all forces one after another.
// Stopped by: the checker's clock of each thread, where there are bodies enough to share.
// Most: 40
// Trusted: 0
#include "serial.hpp"

__global__ void serialKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  for (int i = 0; i < count; ++i) accelerations[i] = serialSum(bodies, count, eps2, i);
}

void answer(Call call) {
  serialKernel<<<1, 1, 0, stream()>>>(call.bodies.data(),
                                      static_cast<int>(call.bodies.size()),
                                      call.softeningSquared,
                                      call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
