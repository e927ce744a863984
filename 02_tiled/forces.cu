/// \file
/// Step 02, tiled: a block reads each source once for all of its threads, into shared memory.
///
/// Parent: 01_naive. Source: GPU Gems 3, chapter 31, listings 31-2 and 31-3. Predicted limiter: the
/// loop. A tile of p sources cuts the traffic from N^2 loads to N^2 / p, and what is left is a load
/// from shared memory and the loop's own instructions beside the 13 of each interaction.
#include "driver/step.hpp"

namespace nbody {

/// Adds the pull of body j to the acceleration of body i (listing 31-1): 20 FLOP by the chapter's
/// count. Bodies are x, y, z, mass. The pull of a body on itself is 0, because softeningSquared is
/// above 0.
__device__ inline real3 interaction(real4 bodyI,
                                    real4 bodyJ,
                                    real3 acceleration,
                                    real softeningSquared) {
  // r_ij  [3 FLOP]
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  // |r_ij|^2 + epsilon^2  [6 FLOP]. Epsilon first: the sum is then three fused multiply-adds.
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
  // m_j / distance^3  [5 FLOP]. Cubing the root, where the listing takes it of the sixth power,
  // cannot overflow for close bodies; the products in brackets do not wait for each other.
  const real inverse = rsqrt(distanceSquared);
  const real s = (bodyJ.w * inverse) * (inverse * inverse);
  // a_i + s r_ij  [6 FLOP]
  return {acceleration.x + s * r.x, acceleration.y + s * r.y, acceleration.z + s * r.z};
}

/// Thread i computes the acceleration of body i, from tiles of blockDim.x sources.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: one source a thread. Barriers: two a tile. Global reads: count sources a block.
__global__ void forcesKernel(const real4* __restrict__ bodies,
                             int count,
                             real softeningSquared,
                             real4* __restrict__ accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // range [0, count rounded up to a block)
  const real4 body = bodies[min(i, count - 1)];  // a thread past the end repeats the last body
  real3 acceleration = {0, 0, 0};
  real4* tile = dynamicShared<real4>();
  for (int first = 0; first < count; first += blockDim.x) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < count ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
    __syncthreads();  // the tile is whole before any thread reads it
    for (int k = 0; k < static_cast<int>(blockDim.x); ++k) {
      acceleration = interaction(body, tile[k], acceleration, softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  if (i < count) accelerations[i] = {acceleration.x, acceleration.y, acceleration.z, 0};
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  const LaunchShape shape(blocksFor(count, block), block, block * sizeof(real4));
  launch(shape, forcesKernel, bodies.data(), count, softeningSquared, accelerations.data());
}

}  // namespace nbody
