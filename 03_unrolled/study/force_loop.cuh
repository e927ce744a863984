/// \file
/// Step 03's inner loop with one thing changed.
#pragma once

#include "study/loops.cuh"

namespace nbody {

/// What is changed in step 03's interaction.
enum class Change {
  none,
  productForRoot,  ///< a product where the root was
  addsForSums,  ///< three additions where the pull was added by multiply-adds
  noMass,  ///< the source's mass left out: a product fewer
  swapped,  ///< r * s for s * r
  rootAhead,  ///< the root of the next source is taken before this one's pull is added
};

template <Change kChange>
__device__ inline float rootOf(float distanceSquared, float softeningSquared) {
  return kChange == Change::productForRoot ? distanceSquared * softeningSquared
                                           : rsqrtf(distanceSquared);
}

template <Change kChange>
__device__ inline void addPull(float3& sum, float3 r, float mass, float inverse) {
  const float s = (kChange == Change::noMass ? inverse : mass * inverse) * (inverse * inverse);
  if (kChange == Change::addsForSums) sum = {sum.x + s, sum.y + s, sum.z + s};
  else if (kChange == Change::swapped) sum = {r.x * s + sum.x, r.y * s + sum.y, r.z * s + sum.z};
  else sum = {sum.x + s * r.x, sum.y + s * r.y, sum.z + s * r.z};
}

constexpr int kForceUnroll = 16;

/// Step 03's inner loop over a tile that stays, with `kBodies` bodies a thread.
template <Change kChange, int kBodies>
__global__ void __launch_bounds__(kBlock, 1) forceLoop(const float4* values,
                                                       int iterations,
                                                       float softeningSquared,
                                                       float* sums,
                                                       long long* cycles) {
  __shared__ float4 tile[kTile];
  if (threadIdx.x < kTile) tile[threadIdx.x] = values[threadIdx.x];
  float4 body[kBodies];
  float3 sum[kBodies] = {}, ahead[kBodies] = {};
  float inverse[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = values[(threadIdx.x + 7 * b) % kTile];
  float aheadMass = 0;
  __syncthreads();
  const long long first = clock64();
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
    const float4* source = &tile[k * kForceUnroll % kTile];
#pragma unroll
    for (int u = 0; u < kForceUnroll; ++u) {
      const float4 j = source[u];
#pragma unroll
      for (int b = 0; b < kBodies; ++b) {
        const float3 r = {j.x - body[b].x, j.y - body[b].y, j.z - body[b].z};
        const float distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
        const float root = rootOf<kChange>(distanceSquared, softeningSquared);
        if (kChange == Change::rootAhead) {
          addPull<kChange>(sum[b], ahead[b], aheadMass, inverse[b]);
          ahead[b] = r;
          inverse[b] = root;
        } else {
          addPull<kChange>(sum[b], r, j.w, root);
        }
      }
      aheadMass = j.w;
    }
  }
  float all = aheadMass;
  for (int b = 0; b < kBodies; ++b) all += sum[b].x + sum[b].y + sum[b].z + inverse[b] * ahead[b].x;
  sums[blockIdx.x * kBlock + threadIdx.x] = all;
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - first;
}

}  // namespace nbody
