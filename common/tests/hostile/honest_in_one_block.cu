// Kind: correct but unusual
// Tries: nothing: one block does all, its threads in a loop over bodies.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

__global__ void loopKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    real x = 0, y = 0, z = 0;
    for (int j = 0; j < count; ++j) {
      const real dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
                 dz = bodies[j].z - bodies[i].z;
      const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
      const real pull = bodies[j].w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    accelerations[i] = {x, y, z, 0};
  }
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  loopKernel<<<1, 64, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
