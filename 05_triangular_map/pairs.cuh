/// \file
/// The forces between two tiles of bodies, each pair once, by Newton's third law.
#pragma once

#include "05_triangular_map/sums.cuh"

namespace nbody::inline NBODY_PRECISION::triangular {

/// Adds the pull of body j to the acceleration of body i, and the pull of i to that of j: 2
/// interactions of 20 FLOP each, as the chapter counts. If all masses are equal, they are left out:
/// the caller multiplies the sums by the mass at the end.
template <bool kEqualMasses>
__device__ inline void interaction(real4 bodyI,
                                   real4 bodyJ,
                                   real3& accelerationI,
                                   real3& accelerationJ,
                                   real softeningSquared) {
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
  const real inverse = rsqrt(distanceSquared);
  const real inverseCube = inverse * (inverse * inverse);
  const real pullOfJ = kEqualMasses ? inverseCube : bodyJ.w * inverseCube;
  accelerationI.x += pullOfJ * r.x;
  accelerationI.y += pullOfJ * r.y;
  accelerationI.z += pullOfJ * r.z;
  const real pullOfI = kEqualMasses ? inverseCube : bodyI.w * inverseCube;
  accelerationJ.x -= pullOfI * r.x;
  accelerationJ.y -= pullOfI * r.y;
  accelerationJ.z -= pullOfI * r.z;
}

constexpr int kWarp = 32;

/// Sums a warp's bodies of I, kBodies per thread, with all bodies of J, 32 at a time. Lane l starts
/// with body l of the 32 and passes its sum on. After 32 iterations every lane has met every body,
/// and each sum is back where it started.
/// \param tile  bodies of J, each 32 stored twice, so that a lane reads on from its own: length 64
///              per 32
/// \param sums  x, then y, then z of the accelerations of J; shared memory; length 3 side
template <int kBodies, bool kEqualMasses>
__device__ void sumPairs(const real4* body,
                         real3* acceleration,
                         const real4* tile,
                         real* sums,
                         int side,
                         real softeningSquared) {
  const int lane = threadIdx.x % kWarp;
  const int groups = side / kWarp;
  for (int iteration = 0; iteration < groups; ++iteration) {
    // Each warp starts with another group, so that two rarely add to the same sums at once.
    const int group = (iteration + threadIdx.x / kWarp * kBodies) % groups;
    const real4* sources = tile + group * 2 * kWarp + lane;
    real3 reaction = {0, 0, 0};
// Not fully unrolled, because the longer loop was slower.
#pragma unroll(kEqualMasses ? 4 : 8)
    for (int k = 0; k < kWarp; ++k) {
      const real4 source = sources[k];
      for (int b = 0; b < kBodies; ++b)
        interaction<kEqualMasses>(body[b], source, acceleration[b], reaction, softeningSquared);
      reaction.x = __shfl_sync(0xffffffffu, reaction.x, lane + 1);
      reaction.y = __shfl_sync(0xffffffffu, reaction.y, lane + 1);
      reaction.z = __shfl_sync(0xffffffffu, reaction.z, lane + 1);
    }
    real* sum = sums + group * kWarp + lane;
    atomicAdd(sum, reaction.x);
    atomicAdd(sum + side, reaction.y);
    atomicAdd(sum + 2 * side, reaction.z);
  }
}

/// sumPairs() for a tile on the diagonal: every pair occurs twice, so only one side is summed.
template <int kBodies, bool kEqualMasses>
__device__ void sumDiagonal(const real4* body,
                            real3* acceleration,
                            const real4* tile,
                            int side,
                            real softeningSquared) {
#pragma unroll 4
  for (int k = 0; k < side; ++k) {
    const real4 source = tile[k / kWarp * 2 * kWarp + k % kWarp];
    real3 reaction = {0, 0, 0};
    for (int b = 0; b < kBodies; ++b)
      interaction<kEqualMasses>(body[b], source, acceleration[b], reaction, softeningSquared);
  }
}

/// The bodies of the rows and of the columns of tiles.
struct Pairs {
  const real4* bodies;  ///< x, y, z, mass; length count: bodies of the rows
  int count;
  const real4* sources;  ///< bodies of the columns, length sourceCount; or the same array
  int sourceCount;
  real softeningSquared;
};

/// Computes the forces between tiles I and J of \p place, with one block and kBodies bodies of I in
/// a thread. A tile past the end is filled up with bodies without mass, and then the loop uses the
/// masses.
/// \param tile  shared memory: 2 real4 and 3 real per body of a tile
/// Barriers: 2.
template <int kBodies, bool kEqualMasses, bool kTriangle>
__device__ inline void sumTiles(Tile place,
                                const real4* __restrict__ bodies,
                                int count,
                                const real4* __restrict__ sources,
                                int sourceCount,
                                real softeningSquared,
                                const PairSums& result,
                                real4* tile) {
  const int side = blockDim.x * kBodies;
  const int i = place.row * side + threadIdx.x / kWarp * kWarp * kBodies + threadIdx.x % kWarp;
  const int firstJ = place.column * side;
  const real4 none = {0, 0, 0, 0};
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = i + b * kWarp < count ? bodies[i + b * kWarp] : none;
  real* sums = reinterpret_cast<real*>(tile + 2 * side);
  for (int k = threadIdx.x; k < side; k += blockDim.x) {
    real4* entry = tile + k / kWarp * 2 * kWarp + k % kWarp;
    entry[0] = entry[kWarp] = firstJ + k < sourceCount ? sources[firstJ + k] : none;
    sums[k] = sums[side + k] = sums[2 * side + k] = 0;
  }
  __syncthreads();  // the tile is whole, its sums are 0
  const bool ragged = (place.row + 1) * side > count || (!kTriangle && firstJ + side > sourceCount);
  const bool leaveMassOut = kEqualMasses && !ragged;
  const bool diagonal = kTriangle && place.row == place.column;
  if (diagonal && leaveMassOut)
    sumDiagonal<kBodies, kEqualMasses>(body, acceleration, tile, side, softeningSquared);
  else if (diagonal) sumDiagonal<kBodies, false>(body, acceleration, tile, side, softeningSquared);
  else if (leaveMassOut)
    sumPairs<kBodies, kEqualMasses>(body, acceleration, tile, sums, side, softeningSquared);
  else sumPairs<kBodies, false>(body, acceleration, tile, sums, side, softeningSquared);
  const real mass = leaveMassOut ? bodies[0].w : 1;
  for (int b = 0; b < kBodies; ++b)
    if (i + b * kWarp < count) result.addAction(place, i + b * kWarp, mass, acceleration[b]);
  if (diagonal) return;  // the whole block
  __syncthreads();  // every warp has added its sums for J
  for (int k = threadIdx.x; k < side; k += blockDim.x) {
    const real3 sum = {sums[k], sums[side + k], sums[2 * side + k]};
    if (firstJ + k < sourceCount) result.addReaction(place, firstJ + k, mass, sum);
  }
}

/// Computes the two tiles that the map gives a block.
/// Shared memory and barriers: see sumTiles().
template <int kBodies, bool kEqualMasses, class Map>
__global__ void __launch_bounds__(64, kBodies < 8 ? 1 : 0)
    forcesKernel(Map map,
                 const real4* __restrict__ bodies,
                 int count,
                 const real4* __restrict__ sources,
                 int sourceCount,
                 real softeningSquared,
                 PairSums result) {
  if (Map::kTriangle) sources = bodies, sourceCount = count;  // so that the compiler knows
  const Tile place = map(blockIdx.x, blockIdx.y + gridDim.y * blockIdx.z);
  if (place.row < result.firstRow || place.row >= result.endRow) return;  // the whole block
  extern __shared__ real4 tile[];
  sumTiles<kBodies, kEqualMasses, Map::kTriangle>(
      place, bodies, count, sources, sourceCount, softeningSquared, result, tile);
}

/// Launches forcesKernel on \p stream.
/// \param block   threads; a tile has block * bodiesPerThread bodies
/// \param equal   whether all masses are equal
template <class Map>
void launchPairs(const Map& map,
                 const Pairs& pairs,
                 unsigned block,
                 int bodiesPerThread,
                 bool equal,
                 const PairSums& result,
                 cudaStream_t stream) {
  auto kernel = BodyCounts::select(bodiesPerThread, [&](auto k) {
    return equal ? &forcesKernel<k.value, true, Map> : &forcesKernel<k.value, false, Map>;
  });
  const std::size_t bytes = block * bodiesPerThread * (2 * sizeof(real4) + 3 * sizeof(real));
  kernel<<<map.grid(), block, bytes, stream>>>(map,
                                               pairs.bodies,
                                               pairs.count,
                                               pairs.sources,
                                               pairs.sourceCount,
                                               pairs.softeningSquared,
                                               result);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
