/// \file
/// Step 05, the triangular map: each pair of tiles once, by Newton's third law, so that a
/// reciprocal square root serves two interactions.
///
/// Parent: 02_tiled. Source: Navarro et al., "A Non-linear GPU Thread Map for Triangular Domains",
/// and GPU Gems 3, chapter 31, footnote 1, which sets the symmetry aside. Predicted limiter: issue,
/// of 17 + 4/K slots for two interactions with K bodies in a thread.
#include "driver/step.hpp"
#include "sums.cuh"

namespace nbody {

/// Adds the pull of body j to the acceleration of body i, and that of i to j's: 2 interactions of
/// 20 FLOP each by the chapter's count. Where all masses are equal they are left out: the sums are
/// multiplied by the mass at the end.
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

/// A warp's bodies of I, kBodies a thread, against all bodies of J, a warp of them at a time: lane
/// l starts with body l of the 32 and passes its sum on; after 32 iterations every lane has met
/// every body and each sum is back where it started.
/// \param tile  bodies of J; each 32 stored twice, so that a lane reads on from its own: length 64
///              for each 32
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
    // Each warp starts at another group, so that two seldom add to the same sums at once.
    const int group = (iteration + threadIdx.x / kWarp * kBodies) % groups;
    const real4* sources = tile + group * 2 * kWarp + lane;
    real3 reaction = {0, 0, 0};
// Unrolled by 32, the loop outgrows the instruction cache: half the speed.
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

/// As sumPairs() for a tile on the diagonal: every pair is met twice, so only one side is summed.
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

/// A block computes the forces between the tiles I and J that the map gives it, kBodies bodies of I
/// in a thread. A tile past the end is filled up with bodies of no mass, so there the masses stay
/// in the loop.
/// \param bodies  x, y, z, mass; length count
/// Shared memory: 2 real4 and 3 real for each body of a tile. Barriers: 2.
template <int kBodies, bool kEqualMasses>
__global__ void __launch_bounds__(64, kBodies < 8 ? 1 : 0)
    forcesKernel(AnyMap map,
                 const real4* __restrict__ bodies,
                 int count,
                 real softeningSquared,
                 Sums result) {
  const Tile place = map(blockIdx.x, blockIdx.y + gridDim.y * blockIdx.z);
  if (place.row < result.firstRow || place.row >= result.endRow) return;  // the whole block
  const int side = blockDim.x * kBodies;
  const int i = place.row * side + threadIdx.x / kWarp * kWarp * kBodies + threadIdx.x % kWarp;
  const int firstJ = place.column * side;
  const real4 none = {0, 0, 0, 0};
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = i + b * kWarp < count ? bodies[i + b * kWarp] : none;
  extern __shared__ real4 tile[];
  real* sums = reinterpret_cast<real*>(tile + 2 * side);
  for (int k = threadIdx.x; k < side; k += blockDim.x) {
    real4* slot = tile + k / kWarp * 2 * kWarp + k % kWarp;
    slot[0] = slot[kWarp] = firstJ + k < count ? bodies[firstJ + k] : none;
    sums[k] = sums[side + k] = sums[2 * side + k] = 0;
  }
  __syncthreads();  // the tile is whole, its sums are 0
  const bool ragged = (place.row + 1) * side > count;
  const bool leaveMassOut = kEqualMasses && !ragged;
  if (place.row == place.column && leaveMassOut)
    sumDiagonal<kBodies, kEqualMasses>(body, acceleration, tile, side, softeningSquared);
  else if (place.row == place.column)
    sumDiagonal<kBodies, false>(body, acceleration, tile, side, softeningSquared);
  else if (leaveMassOut)
    sumPairs<kBodies, kEqualMasses>(body, acceleration, tile, sums, side, softeningSquared);
  else sumPairs<kBodies, false>(body, acceleration, tile, sums, side, softeningSquared);
  const real mass = leaveMassOut ? bodies[0].w : 1;
  for (int b = 0; b < kBodies; ++b)
    if (i + b * kWarp < count) result.addAction(place, i + b * kWarp, mass, acceleration[b]);
  if (place.row == place.column) return;  // the whole block
  __syncthreads();  // every warp has added its sums for J
  for (int k = threadIdx.x; k < side; k += blockDim.x) {
    const real3 sum = {sums[k], sums[side + k], sums[2 * side + k]};
    if (firstJ + k < count) result.addReaction(place, firstJ + k, mass, sum);
  }
}

struct Workspace {
  StoredSums sums;
};

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  const int side = block * options.bodiesPerThread;
  const int tiles = blocksFor(count, side);
  const AnyMap map(options.map, tiles);
  auto kernel = BodyCounts::select(options.bodiesPerThread, [&](auto k) {
    return options.equalMasses == EqualMasses::used ? &forcesKernel<k.value, true>
                                                    : &forcesKernel<k.value, false>;
  });
  const std::size_t bytes = side * (2 * sizeof(real4) + 3 * sizeof(real));
  if (options.reduction == Reduction::atomic) {
    accelerations.clear();
    const Sums sums = {0, tiles, side, count, accelerations.data()};
    kernel<<<map.grid(), block, bytes, stream()>>>(
        map, bodies.data(), count, softeningSquared, sums);
    return CUDA_CHECK(cudaGetLastError());
  }
  const std::size_t room = static_cast<std::size_t>(options.storedMib) << 20;
  const int rows = StoredSums::rowsWithin(room, tiles, side);
  for (int first = 0; first < tiles; first += rows) {
    const int end = std::min(first + rows, tiles);
    const Sums sums = workspace.sums.stored({first, end, side, count, accelerations.data()}, tiles);
    kernel<<<map.grid(), block, bytes, stream()>>>(
        map, bodies.data(), count, softeningSquared, sums);
    CUDA_CHECK(cudaGetLastError());
    addInOrder<<<blocksFor(count, 128), 128, 0, stream()>>>(sums);
    CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace nbody
