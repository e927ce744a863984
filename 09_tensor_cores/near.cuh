/// \file
/// Forces between near tiles, with the loop of step 05 over a list that the device makes.
#pragma once

#include "05_triangular_map/pairs.cuh"
#include "09_tensor_cores/order.cuh"

namespace nbody::inline NBODY_PRECISION::tensor {

using triangular::addInOrder;
using triangular::PairSums;
using triangular::StoredSums;
using triangular::sumTiles;
using triangular::Tile;

/// The near pairs of some rows of tiles, in any order.
struct NearList {
  Tile* pairs;
  int* count;
};

/// A block of kTile threads tests kTile columns of a row. Shared memory, barriers: none.
[[maybe_unused]] static __global__ void nearListKernel(Tiles tiles, int firstRow, NearList list) {
  const int row = firstRow + blockIdx.x;
  const int column = (blockIdx.y + gridDim.y * blockIdx.z) * kTile + threadIdx.x;
  if (column > row || isFar(pairOfTiles(tiles.boxes[row], tiles.boxes[column]))) return;
  list.pairs[atomicAdd(list.count, 1)] = {row, column};
}

/// Bodies per thread. A block then has two warps, and a sum of two does not depend on their order.
constexpr int kNearBodies = 4;
constexpr int kNearThreads = kTile / kNearBodies;
constexpr std::size_t kNearBytes = kTile * (2 * sizeof(float4) + 3 * sizeof(float));

/// A block takes every gridDim.x-th pair of the list.
/// Shared memory: kNearBytes, see sumTiles(). Barriers: three per pair.
[[maybe_unused]] static __global__ void __launch_bounds__(kNearThreads)
    nearKernel(Tiles tiles, float softeningSquared, NearList list, PairSums result) {
  extern __shared__ float4 tile[];
  for (int n = blockIdx.x; n < *list.count; n += gridDim.x) {
    __syncthreads();  // the last pair's sums are read
    sumTiles<kNearBodies, false, true>(list.pairs[n],
                                       tiles.sorted,
                                       tiles.bodies,
                                       tiles.sorted,
                                       tiles.bodies,
                                       softeningSquared,
                                       result,
                                       tile);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
