/// \file
/// Step 04, tuned: while a tile is summed, the next one is loaded, two sources per thread. Sources
/// and bodies may be two different arrays, so that step 08 can use this kernel too.
///
/// Parent: forces.cu in this folder. Predicted limiter: issue, down to a smaller N.
/// Source: GPU Gems 3, chapter 31, with the figures and listings that the README names.
#pragma once

#include "04_multithread_per_body/options.hpp"
#include "cuda/cuda.hpp"

namespace nbody::inline NBODY_PRECISION::multithread::tuned {

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

constexpr int kSourcesPerThread = Options::kSourcesPerThread;

/// Sums the pulls of all sources on every body. Each row of blocks sums one chunk of the sources.
/// \param bodies         x, y, z, mass; length count
/// \param sources        x, y, z, mass; length sourceCount
/// \param chunk          sources of a row
/// \param accelerations  out: x, y, z, 0. If \p add: length count, and every row adds to it.
///                       If not: length rows * count, and each row writes its own count elements
/// Shared memory: kSourcesPerThread sources per thread, and one per lane. Barriers: two per tile.
template <int kUnroll, int kBodies, bool kOwnSources>
__global__ void __launch_bounds__(Options::largestBlock(kBodies),
                                  1)  // registers rather than many blocks
    forcesKernel(const real4* __restrict__ bodies,
                 int count,
                 const real4* __restrict__ sources,
                 int sourceCount,
                 int chunk,
                 int lanes,
                 real softeningSquared,
                 real4* __restrict__ accelerations,
                 bool add) {
  if (kOwnSources) sources = bodies, sourceCount = count;  // so that the compiler knows
  // A power of two, so no division: on an H200, 4,096 bodies take 11.2 instead of 11.8 us.
  const int shift = __ffs(lanes) - 1, ownLane = threadIdx.x & (lanes - 1);
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) >> shift;
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i * kBodies + b, count - 1)];
  const int end = min(sourceCount, chunk * (static_cast<int>(blockIdx.y) + 1));
  int j = chunk * blockIdx.y + threadIdx.x;
  real4 next[kSourcesPerThread];
  auto load = [&] {
    for (int l = 0; l < kSourcesPerThread; ++l, j += blockDim.x)
      next[l] = j < end ? sources[j] : real4{0, 0, 0, 0};  // no mass: no pull
  };
  load();
  extern __shared__ real4 tile[];
  const int segment = kSourcesPerThread * blockDim.x >> shift;  // sources of a tile, per lane
  for (int first = chunk * blockIdx.y; first < end; first += segment * lanes) {
    for (int l = 0, k = threadIdx.x; l < kSourcesPerThread; ++l, k += blockDim.x)
      tile[k + k / segment] = next[l];  // padded by one: the lanes read different banks
    __syncthreads();  // the tile is whole before any thread reads it
    load();  // in flight while this tile is summed
#pragma unroll kUnroll
    for (int k = 0; k < segment; ++k) {
      const real4 source = tile[ownLane * (segment + 1) + k];
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], source, acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  const std::size_t row = add ? 0 : static_cast<std::size_t>(blockIdx.y) * count;
  for (int b = 0; b < kBodies; ++b) {
    for (int lane = lanes / 2; lane > 0; lane /= 2) {
      acceleration[b].x += __shfl_xor_sync(0xffffffffu, acceleration[b].x, lane);
      acceleration[b].y += __shfl_xor_sync(0xffffffffu, acceleration[b].y, lane);
      acceleration[b].z += __shfl_xor_sync(0xffffffffu, acceleration[b].z, lane);
    }
    if (ownLane != 0 || i * kBodies + b >= count) continue;
    real4& sum = accelerations[row + i * kBodies + b];
    if (add) atomicAdd(&sum, padded(acceleration[b]));
    else sum = padded(acceleration[b]);
  }
}

/// Arguments of forcesKernel.
struct Pulls {
  const real4* bodies;
  int count;
  const real4* sources;
  int sourceCount;
  int chunks;  ///< rows of blocks
  int chunk;  ///< sources of each
  real softeningSquared;
  real4* accelerations;
  bool add;
};

/// Launches forcesKernel on \p stream, compiled for the given unrolls and bodies per thread.
template <bool kOwnSources, class Unrolls, class BodyCounts>
void launchPulls(const Pulls& pulls, const SplitOptions<true>& options, cudaStream_t stream) {
  const unsigned block = options.block;
  const int lanes = options.threadsPerBody;
  const dim3 blocks(blocksFor(pulls.count, block / lanes * options.bodiesPerThread), pulls.chunks);
  auto kernel =
      select<Unrolls, BodyCounts>(options.unroll, options.bodiesPerThread, [](auto u, auto k) {
        return &forcesKernel<u.value, k.value, kOwnSources>;
      });
  kernel<<<blocks, block, (kSourcesPerThread * block + lanes) * sizeof(real4), stream>>>(
      pulls.bodies,
      pulls.count,
      pulls.sources,
      pulls.sourceCount,
      pulls.chunk,
      lanes,
      pulls.softeningSquared,
      pulls.accelerations,
      pulls.add);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::multithread::tuned
