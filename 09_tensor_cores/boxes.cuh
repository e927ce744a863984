/// \file
/// Tiles of neighbours along the curve, their boxes, and which pairs are far enough for products.
#pragma once

#include "07_device_tree/tree/sums.cuh"

namespace nbody::inline NBODY_PRECISION::tensor {

constexpr int kTile = 256;  ///< bodies of a tile

/// Smallest gap between two boxes, relative to the largest distance between their points, with
/// which products are used. A squared distance is a sum of terms as large as the square of that
/// largest distance, and so loses up to two of FP32's seven digits.
constexpr float kNearness = 0.1f;

/// Returns the number of tiles of \p count bodies.
__host__ __device__ constexpr int tilesOf(int count) { return (count + kTile - 1) / kTile; }

/// The box of a tile's bodies.
struct TileBox {
  float3 centre, half;  ///< centre, and half the sides; infinite if the tile must never be far
  float4 moments;  ///< sums of m x, m y, m z, with x from the centre, and of m
  float largestMass;
  double squares;  ///< sum of m^2
};

/// Sums that give a tile's box: upper corner, lower corner with the sign changed, and masses.
struct TileSums {
  float3 upper, minusLower;
  float largestMass;
  double mass, x, y, z, squares;  ///< sums of m, m x, m y, m z, m^2

  __device__ TileSums operator+(const TileSums& b) const {
    return {largest(upper, b.upper),
            largest(minusLower, b.minusLower),
            fmaxf(largestMass, b.largestMass),
            mass + b.mass,
            x + b.x,
            y + b.y,
            z + b.z,
            squares + b.squares};
  }
  __device__ static float3 largest(float3 a, float3 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
  }
};

/// A block of kTile threads makes a tile, each thread for one body.
/// \param order   number of the body at each place; length N
/// \param sorted  out: the bodies in this order, padded with bodies without mass
/// Shared memory: a TileSums per thread. Barriers: 1.
[[maybe_unused]] static __global__ void boxesKernel(const float4* __restrict__ bodies,
                                                    const int* __restrict__ order,
                                                    int count,
                                                    float4* __restrict__ sorted,
                                                    TileBox* __restrict__ boxes) {
  const int place = blockIdx.x * kTile + threadIdx.x;
  float4 body = bodies[order[min(place, count - 1)]];
  if (place >= count) body.w = 0;
  sorted[place] = body;
  const double m = body.w;
  const TileSums none = {{-tree::kFar, -tree::kFar, -tree::kFar},
                         {-tree::kFar, -tree::kFar, -tree::kFar},
                         0,
                         0,
                         0,
                         0,
                         0,
                         0};
  extern __shared__ TileSums ofThreads[];
  const TileSums all = tree::sumOverBlock<TileSums>({{body.x, body.y, body.z},
                                                     {-body.x, -body.y, -body.z},
                                                     fabsf(body.w),
                                                     m,
                                                     m * body.x,
                                                     m * body.y,
                                                     m * body.z,
                                                     m * m},
                                                    none,
                                                    ofThreads);
  if (threadIdx.x != 0) return;
  const auto middle = [](float upper, float minusLower) {
    return 0.5f * upper - 0.5f * minusLower;
  };
  const float3 centre = {middle(all.upper.x, all.minusLower.x),
                         middle(all.upper.y, all.minusLower.y),
                         middle(all.upper.z, all.minusLower.z)};
  const float3 half = {fmaxf(all.upper.x - centre.x, centre.x + all.minusLower.x),
                       fmaxf(all.upper.y - centre.y, centre.y + all.minusLower.y),
                       fmaxf(all.upper.z - centre.z, centre.z + all.minusLower.z)};
  const float4 moments = {static_cast<float>(all.x - all.mass * centre.x),
                          static_cast<float>(all.y - all.mass * centre.y),
                          static_cast<float>(all.z - all.mass * centre.z),
                          static_cast<float>(all.mass)};
  boxes[blockIdx.x] = {centre, half, moments, all.largestMass, all.squares};
}

/// One block of kTile threads adds up all mass. Products round each pull to 11 bits. The errors of
/// many bodies cancel, but not that of a heavy one. So tiles with too heavy bodies become near.
/// With few bodies, all are too heavy.
/// \param largestShare  most that sum m^2 / sum m of a tile may be of all mass: the mass of its typical
///                      body
/// Shared memory: a double per thread. Barriers: 2.
[[maybe_unused]] static __global__ void heavyTilesKernel(TileBox* boxes,
                                                         int tiles,
                                                         double largestShare) {
  __shared__ double ofThreads[kTile];
  __shared__ double total;
  double own = 0;
  for (int k = threadIdx.x; k < tiles; k += kTile) own += boxes[k].moments.w;
  const double sum = tree::sumOverBlock(own, 0.0, ofThreads);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();  // the total is written
  for (int k = threadIdx.x; k < tiles; k += kTile)
    if (boxes[k].squares > largestShare * total * boxes[k].moments.w) boxes[k].half.x = INFINITY;
}

/// A pair of tiles, seen from the first one.
struct TilePair {
  float3 offset;  ///< from its centre to that of the second one
  float gap;  ///< square of the smallest distance between points of the two boxes
  float reach;  ///< square of the largest distance
};

__device__ inline float squaredLength(float3 x) { return x.x * x.x + x.y * x.y + x.z * x.z; }

__device__ inline TilePair pairOfTiles(const TileBox& a, const TileBox& b) {
  const float3 offset = {b.centre.x - a.centre.x, b.centre.y - a.centre.y, b.centre.z - a.centre.z};
  const float3 away = {fabsf(offset.x), fabsf(offset.y), fabsf(offset.z)};
  const float3 sides = {a.half.x + b.half.x, a.half.y + b.half.y, a.half.z + b.half.z};
  return {offset,
          squaredLength(
              {fmaxf(away.x - sides.x, 0), fmaxf(away.y - sides.y, 0), fmaxf(away.z - sides.z, 0)}),
          squaredLength({away.x + sides.x, away.y + sides.y, away.z + sides.z})};
}

/// Adds \p s times a tile's sums of m x, m y, m z and m to \p sums, whose x is from another centre.
/// The tile's centre is at \p offset from that centre.
__device__ inline void addMoments(float4& sums, float s, float3 offset, float4 tile) {
  sums.x += s * (tile.x + offset.x * tile.w);
  sums.y += s * (tile.y + offset.y * tile.w);
  sums.z += s * (tile.z + offset.z * tile.w);
  sums.w += s * tile.w;
}

/// Returns whether products may be used. A box that is not finite is far from no other.
__device__ inline bool isFar(const TilePair& pair) {
  return pair.gap > kNearness * kNearness * pair.reach;
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
