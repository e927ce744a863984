/// \file
/// Step 04, several threads per body: each row is split into segments; small N then fills the GPU.
///
/// Parent: 03_unrolled. Source: GPU Gems 3, chapter 31, section 31.4.1. Predicted limiter: issue,
/// as in step 03, but down to a smaller N; below, the launch and one pass over the sources.
#include "defaults.hpp"
#include "driver/compiled_values.hpp"
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

using Unrolls = CompiledValues<1, 2, 4, 8, 16, 32>;
using BodyCounts = CompiledValues<1, 2, 4, 8>;
/// Sources that each thread brings to a tile: two, in FP32, while its registers allow.
__host__ __device__ constexpr int loads(int held) { return held < 4 ? 32 / sizeof(real4) : 1; }

/// q = blockDim.x lanes compute the accelerations of kBodies bodies, each from its segment of a
/// tile. Blocks along y take a share of the sources each and add to accelerations that are 0.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: a tile of the sources that its threads bring. Barriers: two a tile.
template <int kUnroll, int kBodies>
__global__ void forcesKernel(const real4* __restrict__ bodies,
                             int count,
                             real softeningSquared,
                             real4* __restrict__ accelerations) {
  const int apart = blockDim.y;  // from one of a thread's bodies to the next
  const int i = blockIdx.x * apart * kBodies + threadIdx.y;  // the first of them
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i + b * apart, count - 1)];
  // [segments]
  const int share = (count + gridDim.y - 1) / gridDim.y;
  const int end = min(count, share * (static_cast<int>(blockIdx.y) + 1));
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int j = share * blockIdx.y + thread;
  real4 next[loads(kBodies)];
  auto load = [&] {
    for (int l = 0; l < loads(kBodies); ++l, j += blockDim.x * apart)
      next[l] = j < end ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
  };
  load();
  real4* tile = dynamicShared<real4>();
  const int segment = loads(kBodies) * apart;  // sources of a tile that a thread sums
  for (int first = share * blockIdx.y; first < end; first += segment * blockDim.x) {
    for (int l = 0, slot = thread; l < loads(kBodies); ++l, slot += blockDim.x * apart)
      tile[slot + slot / segment] = next[l];  // padded by one: q lanes read q different banks
    __syncthreads();  // the tile is whole before any thread reads it
    load();  // under way while this tile is summed
#pragma unroll kUnroll
    for (int k = 0; k < segment; ++k) {
      const real4 source = tile[threadIdx.x * (segment + 1) + k];
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], source, acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  // [segments]
  for (int b = 0; b < kBodies; ++b) {
    real3 a = acceleration[b];
    // [lanes]
    // BEGIN SOLUTION 4.1
    for (unsigned lane = blockDim.x / 2; lane > 0; lane /= 2) {
      a.x += __shfl_xor_sync(0xffffffffu, a.x, lane);
      a.y += __shfl_xor_sync(0xffffffffu, a.y, lane);
      a.z += __shfl_xor_sync(0xffffffffu, a.z, lane);
    }
    // END SOLUTION
    // [lanes]
    if (i + b * apart >= count || threadIdx.x != 0) continue;
    if (gridDim.y > 1) atomicAdd(&accelerations[i + b * apart], real4{a.x, a.y, a.z, 0});
    else accelerations[i + b * apart] = {a.x, a.y, a.z, 0};
  }
}

Parameters stepParameters() {
  return {BodyCounts::parameter("bodies-per-thread", "bodies in a thread", 0, segmentBodies),
          segmentBlockParameter(),
          threadsPerBodyParameter(),
          blocksPerBodyParameter(),
          Unrolls::parameter("unroll", "sources in each turn", 0, segmentUnroll)};
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Parameters& parameters,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = parameters["block"];
  const int held = parameters["bodies-per-thread"];
  const unsigned q = parameters["threads-per-body"];
  const unsigned shares = parameters["blocks-per-body"];
  auto kernel = select<Unrolls, BodyCounts>(
      parameters["unroll"], held, [](auto u, auto k) { return &forcesKernel<u.value, k.value>; });
  if (shares > 1) accelerations.clear();
  const dim3 grid(blocksFor(count, block / q * held), shares);
  const LaunchShape shape(grid, dim3(q, block / q), (loads(held) * block + q) * sizeof(real4));
  launch(shape, kernel, bodies.data(), count, softeningSquared, accelerations.data());
}

}  // namespace nbody
