/// \file
/// Step 05's kernel on a rank's pairs, a triangle of tiles, and on two ranks' pairs, a rectangle.
#pragma once

#include <algorithm>

#include "05_triangular_map/pairs.cuh"
#include "08_many_gpus/meetings.hpp"
#include "cuda/launch.hpp"
#include "08_many_gpus/rank_forces.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

using triangular::kNoTile;
using triangular::kWarp;
using triangular::LambdaMap;
using triangular::launchPairs;
using triangular::Pairs;
using triangular::PairSums;
using triangular::Tile;

/// All tiles of a rectangle: the rows have one rank's bodies, the columns another's.
struct RectangleOfTiles {
  static constexpr bool kTriangle = false;
  int rows;
  int columns;
  dim3 grid() const { return foldedGrid(columns, rows); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    return y < static_cast<unsigned>(rows) ? Tile{static_cast<int>(y), static_cast<int>(x)}
                                           : kNoTile;
  }
};

/// Shape of a tile: threads of its block, and bodies per thread.
struct TileShape {
  int block;
  int bodiesPerThread;
  int side() const { return block * bodiesPerThread; }
};

/// Returns the largest shape with 14 one-warp tiles or 28 two-warp tiles per multiprocessor,
/// because another rank waits for the last tile. Reduces threads before bodies per thread.
inline TileShape tileShape(int rows, int columns, bool triangle) {
  for (int bodies : {8, 4, 2, 1})
    for (int block : {64, 32}) {
      const TileShape shape = {block, bodies};
      const long long tiles = 1LL * blocksFor(rows, shape.side()) *
                              blocksFor(columns, shape.side()) / (triangle ? 2 : 1);
      if (tiles >= 14LL * block / kWarp * multiprocessors()) return shape;
    }
  return {32, 1};
}

/// Returns a smaller shape, whose blocks end sooner and make room for others.
inline TileShape shortTile(const TileShape& shape) {
  return {kWarp, std::max(1, shape.bodiesPerThread / 4)};
}

template <class Map>
void launchTiles(const Map& map,
                 const TileShape& shape,
                 const Pairs& pairs,
                 const RankWork& work,
                 PairSums sums,
                 cudaStream_t stream) {
  sums.side = shape.side();
  sums.count = pairs.count;
  const bool equal = work.options.equalMasses;
  launchPairs(map, pairs, shape.block, shape.bodiesPerThread, equal, sums, stream);
}

/// Queues on \p stream the forces of the bodies of \p rows on each other and on all earlier bodies.
/// \param bodies         x, y, z, mass; length rows.end
/// \param rows           begins with a tile of \p shape
/// \param accelerations  added to: x, y, z, 0; length rows.end
inline void sumTriangle(const real4* bodies,
                        const ShareRange& rows,
                        const TileShape& shape,
                        const RankWork& work,
                        real4* accelerations,
                        cudaStream_t stream) {
  if (rows.count() == 0) return;
  const int tiles = blocksFor(rows.end, shape.side());
  const Pairs pairs = {bodies, rows.end, bodies, rows.end, work.softeningSquared};
  const PairSums sums = {rows.begin / shape.side(), tiles, 0, 0, accelerations, accelerations};
  launchTiles(LambdaMap(tiles), shape, pairs, work, sums, stream);
}

/// Queues on \p stream the forces between one rank's bodies, the rows, and another's, the columns.
/// \param reactions  added to: accelerations of the columns
inline void sumRectangle(const real4* rows,
                         int rowCount,
                         const real4* columns,
                         int columnCount,
                         const RankWork& work,
                         real4* accelerations,
                         real4* reactions,
                         cudaStream_t stream) {
  if (rowCount == 0 || columnCount == 0) return;
  const TileShape shape = tileShape(rowCount, columnCount, false);
  const RectangleOfTiles map = {static_cast<int>(blocksFor(rowCount, shape.side())),
                                static_cast<int>(blocksFor(columnCount, shape.side()))};
  const Pairs pairs = {rows, rowCount, columns, columnCount, work.softeningSquared};
  launchTiles(map, shape, pairs, work, {0, map.rows, 0, 0, accelerations, reactions}, stream);
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
