// Kind: serial loop
// Tries: the same in the first of as many threads as there are bodies, the others read a little.
// Stopped by: the same.
// Most: 40
#include "serial.hpp"

__global__ void serialKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < count) accelerations[i].w = bodies[i].w * 0;
  for (int k = 0; i == 0 && k < count; ++k) {
    const real4 found = serialSum(bodies, count, eps2, k);
    accelerations[k].x = found.x;
    accelerations[k].y = found.y;
    accelerations[k].z = found.z;
  }
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  serialKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
