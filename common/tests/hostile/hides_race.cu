// Kind: kernel without checks
// Tries: a missing barrier in a kernel that the compiler is told not to instrument, behind one that
//   reads all bodies and is.
// Stopped by: the translator, whose function for the kernel's body has no such attribute: the race is
//   seen.
// Most: 10
#include "honest.hpp"

__global__ void readKernel(const real4* bodies, int count, real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) accelerations[i] = bodies[i];
}

__attribute__((no_sanitize("thread"))) __global__ void racingKernel(const real4* bodies,
                                                                    int count,
                                                                    real eps2,
                                                                    real4* accelerations) {
  extern __shared__ real4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const real4 body = bodies[i < count ? i : 0];
  real x = 0, y = 0, z = 0;
  for (int begin = 0; begin < count; begin += blockDim.x) {
    const int j = begin + threadIdx.x;
    tile[threadIdx.x] = j < count ? bodies[j] : real4{0, 0, 0, 0};
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; ++k) {
      const real dx = tile[k].x - body.x, dy = tile[k].y - body.y, dz = tile[k].z - body.z;
      const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
      const real pull = tile[k].w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
  }
  if (i < count) accelerations[i] = real4{x, y, z, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const int block = call.options.block;
  const real4* bodies = call.bodies.data();
  real4* accelerations = call.accelerations.data();
  readKernel<<<blocksFor(count, block), block, 0, stream()>>>(bodies, count, accelerations);
  CUDA_CHECK(cudaGetLastError());
  const std::size_t bytes = block * sizeof(real4);
  racingKernel<<<blocksFor(count, block), block, bytes, stream()>>>(
      bodies, count, call.softeningSquared, accelerations);
  CUDA_CHECK(cudaGetLastError());
}
