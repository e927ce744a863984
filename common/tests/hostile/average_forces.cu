// Kind: made-up answer
// Tries: the same force for all bodies, near the mean.
// Stopped by: the judge, which compares each.
// Most: 10
#include "honest.hpp"

__global__ void meanKernel(const real4* bodies, real4* accelerations, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) accelerations[i] = {bodies[0].w * 0, 0, 0, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  meanKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      call.bodies.data(), call.accelerations.data(), count);
  CUDA_CHECK(cudaGetLastError());
}
