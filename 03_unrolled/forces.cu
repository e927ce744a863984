/// \file
/// Step 03, unrolled: a thread holds several bodies, and the loop over a tile is unrolled.
///
/// Parent: 02_tiled. Predicted limiter: issue, 13 + 1/K slots: K bodies share each load of a source.
/// Source: GPU Gems 3, chapter 31, with the figures and listings that the README names.
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

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
/// Shared memory: one source per thread. Barriers: two per tile.
template <int kUnroll, int kBodies>
__global__ void __launch_bounds__(largestBlock(kBodies), 1)  // registers rather than many blocks
    forcesKernel(const real4* __restrict__ bodies,
                 int count,
                 real softeningSquared,
                 real4* __restrict__ accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // range [0, threads of the grid)
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i * kBodies + b, count - 1)];
  extern __shared__ real4 tile[];
  for (int first = 0; first < count; first += blockDim.x) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < count ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
    __syncthreads();  // the tile is whole before any thread reads it
#pragma unroll kUnroll
    for (int k = 0; k < static_cast<int>(blockDim.x); ++k) {
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], tile[k], acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  for (int b = 0; b < kBodies; ++b)
    if (i * kBodies + b < count) accelerations[i * kBodies + b] = padded(acceleration[b]);
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  auto kernel = options.select([](auto u, auto k) { return &forcesKernel<u.value, k.value>; });
  const unsigned blocks = blocksFor(count, block * options.bodiesPerThread);
  kernel<<<blocks, block, block * sizeof(real4), stream()>>>(
      bodies.data(), count, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::unrolled
