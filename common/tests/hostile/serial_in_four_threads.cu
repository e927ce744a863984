// Kind: serial loop
// Tries: four threads that share the work.
// Stopped by: the same: eight are the least.
// Most: 40
#include "serial.hpp"

__global__ void serialKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    accelerations[i] = serialSum(bodies, count, eps2, i);
}

void answer(Call call) {
  serialKernel<<<1, 4, 0, stream()>>>(call.bodies.data(),
                                      static_cast<int>(call.bodies.size()),
                                      call.softeningSquared,
                                      call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
