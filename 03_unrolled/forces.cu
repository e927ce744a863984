/// \file
/// Step 03, unrolled: a thread holds several bodies, and the loop over a tile is unrolled.
///
/// Parent: 02_tiled. Source: GPU Gems 3, chapter 31, section 31.4.1. Predicted limiter: issue, of
/// 13 + 1/K slots an interaction: K bodies in a thread use each load from shared memory K times.
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

/// A thread computes the accelerations of kBodies bodies, kUnroll sources in each iteration.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: a tile of the sources that its threads bring. Barriers: two a tile.
template <int kUnroll, int kBodies>
__global__ void forcesKernel(const real4* __restrict__ bodies,
                             int count,
                             real softeningSquared,
                             real4* __restrict__ accelerations) {
  const int stride = blockDim.x;  // from one of a thread's bodies to the next
  const int i = blockIdx.x * stride * kBodies + threadIdx.x;  // the first of them
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i + b * stride, count - 1)];
  real4* tile = dynamicShared<real4>();
  const int segment = sourcesPerThread(kBodies) * stride;  // sources of a tile that a thread sums
  for (int first = 0; first < count; first += segment) {
    for (int slot = threadIdx.x; slot < segment; slot += blockDim.x) {
      const int j = first + slot;
      tile[slot] = j < count ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
    }
    __syncthreads();  // the tile is whole before any thread reads it
#pragma unroll kUnroll
    for (int k = 0; k < segment; ++k) {
      const real4 source = tile[k];
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], source, acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  for (int b = 0; b < kBodies; ++b) {
    real3 a = acceleration[b];
    if (i + b * stride >= count) continue;
    accelerations[i + b * stride] = {a.x, a.y, a.z, 0};
  }
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  const int bodiesPerThread = options.bodiesPerThread;
  auto kernel = select<Unrolls, BodyCounts>(options.unroll, bodiesPerThread, [](auto u, auto k) {
    return &forcesKernel<u.value, k.value>;
  });
  const LaunchShape shape(blocksFor(count, block * bodiesPerThread),
                          block,
                          sourcesPerThread(bodiesPerThread) * block * sizeof(real4));
  launch(shape, kernel, bodies.data(), count, softeningSquared, accelerations.data());
}

}  // namespace nbody
