// Kind: kernel without checks
// Tries: a kernel that the compiler is told not to instrument, so that its race is not seen.
// Stopped by: the translator, whose function for the kernel's body has no such attribute. Its forces
//   are right, and all threads write the same zero: no race that matters.
// Most: 100
#include "honest.hpp"

__attribute__((no_sanitize("thread"))) __global__ void uncheckedKernel(const real4* bodies,
                                                                       int count,
                                                                       real eps2,
                                                                       real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  real x = 0, y = 0, z = 0;
  for (int j = 0; i < count && j < count; ++j) {
    const real dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
               dz = bodies[j].z - bodies[i].z;
    const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
    const real pull = bodies[j].w * inverse * inverse * inverse;
    x += pull * dx;
    y += pull * dy;
    z += pull * dz;
  }
  accelerations[count - 1].w = 0;  // all threads: a race
  if (i < count) accelerations[i] = real4{x, y, z, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  uncheckedKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
