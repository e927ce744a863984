// Kind: correct but unusual
// Tries: nothing: its sums begin with a fill of zeros, and grow by atomic additions.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

__global__ void atomicKernel(const real4* bodies,
                             int count,
                             real eps2,
                             int parts,
                             real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  real x = 0, y = 0, z = 0;
  for (int j = blockIdx.y; j < count; j += parts) {
    const real dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
               dz = bodies[j].z - bodies[i].z;
    const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
    const real pull = bodies[j].w * inverse * inverse * inverse;
    x += pull * dx;
    y += pull * dy;
    z += pull * dz;
  }
  atomicAdd(&accelerations[i].x, x);
  atomicAdd(&accelerations[i].y, y);
  atomicAdd(&accelerations[i].z, z);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  CUDA_CHECK(cudaMemsetAsync(call.accelerations.data(), 0, count * sizeof(real4), stream()));
  atomicKernel<<<dim3(blocksFor(count, 128), 4), 128, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, 4, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
