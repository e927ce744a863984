// Kind: made-up answer
// Tries: infinities for all forces.
// Stopped by: the judge: an infinity is wrong.
// Most: 10
#include "honest.hpp"

__global__ void infinite(real4* accelerations, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const real much = static_cast<real>(1) / static_cast<real>(threadIdx.z);
  if (i < count) accelerations[i] = {much, much, much, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  infinite<<<blocksFor(count, 256), 256, 0, stream()>>>(call.accelerations.data(), count);
  CUDA_CHECK(cudaGetLastError());
}
