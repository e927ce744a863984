/// \file
/// Step 01, naive: one thread per body, which reads every source from global memory.
///
/// Parent: none. Predicted limiter: waiting for loads, too few warps at small N to cover it.
/// Source: GPU Gems 3, chapter 31, with the figures and listings that the README names.
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::naive {

/// Adds the pull of body j to the acceleration of body i (listing 31-1), 20 FLOP as the chapter
/// counts. Bodies are x, y, z, mass. A body's pull on itself is 0, because softeningSquared is
/// above 0.
__device__ inline real3 interaction(real4 bodyI,
                                    real4 bodyJ,
                                    real3 acceleration,
                                    real softeningSquared) {
  // r_ij  [3 FLOP]
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  // |r_ij|^2 + epsilon^2  [6 FLOP]. Epsilon first: the sum is then three fused multiply-adds.
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
  // m_j / distance^3  [5 FLOP]. The listing takes the root of the sixth power; cubing the root
  // cannot overflow for close bodies. The products in brackets do not wait for each other.
  const real inverse = rsqrt(distanceSquared);
  const real s = (bodyJ.w * inverse) * (inverse * inverse);
  // a_i + s r_ij  [6 FLOP]
  return {acceleration.x + s * r.x, acceleration.y + s * r.y, acceleration.z + s * r.z};
}

/// Computes the acceleration of every body.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: none. Barriers: none.
__global__ void __launch_bounds__(kMaxBlock)  // any block that a device allows
    forcesKernel(const real4* __restrict__ bodies,
                 int count,
                 real softeningSquared,
                 real4* __restrict__ accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // range [0, threads of the grid)
  const real4 body = bodies[min(i, count - 1)];  // a thread past the end repeats the last body
  real3 acceleration = {0, 0, 0};
  for (int j = 0; j < count; ++j) {
    acceleration = interaction(body, bodies[j], acceleration, softeningSquared);
  }
  if (i < count) accelerations[i] = padded(acceleration);
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  const unsigned blocks = blocksFor(count, block);
  forcesKernel<<<blocks, block, 0, stream()>>>(
      bodies.data(), count, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::naive
