/// \file
/// Sums of step 05's blocks, added with atomics, or stored and then added in a fixed order.
#pragma once

#include "05_triangular_map/block_maps.cuh"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// The sums of the tiles of rows firstRow to endRow - 1.
struct PairSums {
  int firstRow;
  int endRow;
  int side;  ///< bodies of a tile
  int count;  ///< number of bodies
  real4* accelerations;  ///< x, y, z, 0 of the rows' bodies; must be 0 before for atomic sums
  real4* reactionSums;  ///< sums for the columns' bodies; the same array if the map is a triangle
  real4* actions = nullptr;  ///< pulls of each column's tile on the rows' bodies; null: atomic sums
  real4* reactions = nullptr;  ///< pulls of each row's tile on the columns' bodies

  /// Adds the pull of the bodies of the tile in place.column on body \p i of the tile in place.row.
  __device__ void addAction(Tile place, int i, real mass, real3 a) const {
    const real4 sum = {mass * a.x, mass * a.y, mass * a.z, 0};
    if (actions == nullptr) atomicAdd(accelerations + i, sum);
    else actions[action(place.column, i)] = sum;
  }

  /// Adds the pull of the bodies of the tile in place.row on body \p j of the tile in place.column.
  __device__ void addReaction(Tile place, int j, real mass, real3 a) const {
    const real4 sum = {mass * a.x, mass * a.y, mass * a.z, 0};
    if (actions == nullptr) atomicAdd(reactionSums + j, sum);
    else reactions[reaction(place.row, j)] = sum;
  }

  __device__ long long action(int column, int i) const {
    return static_cast<long long>(column) * (endRow - firstRow) * side + i - firstRow * side;
  }
  __device__ long long reaction(int row, int j) const {
    return static_cast<long long>(row - firstRow) * count + j;
  }
};

/// Thread i adds to acceleration i what the rows of \p stored have for it, row after row, and
/// within its own row column after column. This is one order, however the rows are divided.
[[maybe_unused]] static __global__ void addInOrder(PairSums stored) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= stored.count) return;
  const int own = i / stored.side;
  real4 sum = stored.firstRow == 0 ? real4{0, 0, 0, 0} : stored.accelerations[i];
  const auto add = [&](real4 term) { sum = {sum.x + term.x, sum.y + term.y, sum.z + term.z, 0}; };
  if (own >= stored.firstRow && own < stored.endRow)
    for (int column = 0; column <= own; ++column) add(stored.actions[stored.action(column, i)]);
  for (int row = max(own + 1, stored.firstRow); row < stored.endRow; ++row)
    add(stored.reactions[stored.reaction(row, i)]);
  stored.accelerations[i] = sum;
}

/// Memory for the stored sums. It is kept between calls, because a CUDA graph cannot allocate.
class StoredSums {
 public:
  /// Returns how many rows of tiles have sums that fit \p bytes, at least one.
  static int rowsWithin(std::size_t bytes, int tiles, int side) {
    const std::size_t row = 2 * sizeof(real4) * tiles * side;
    return static_cast<int>(std::clamp<std::size_t>(bytes / row, 1, tiles));
  }

  /// Returns \p sums with memory for its rows.
  PairSums stored(PairSums sums, int tiles) {
    const std::size_t rows = sums.endRow - sums.firstRow;
    sums.actions = actions_.reserve(rows * sums.side * tiles);
    sums.reactions = reactions_.reserve(rows * sums.count);
    return sums;
  }

 private:
  DeviceBuffer<real4> actions_{"stored actions"};
  DeviceBuffer<real4> reactions_{"stored reactions"};
};

}  // namespace nbody::inline NBODY_PRECISION::triangular
