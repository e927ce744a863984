/// \file
/// One interface to all block-space maps. A kernel is a template over its map:
///
///     template <class Map> __global__ void kernel(Map map, ...) {
///       const Tile tile = map(blockIdx.x, blockIdx.y + gridDim.y * blockIdx.z);
///       if (tile.row < 0) return;  // the whole block is outside: return before any barrier
///     ...
///     const LambdaMap map(m);
///     kernel<LambdaMap><<<map.grid(), threads>>>(map, ...);
///
/// Maps are exact: each tile of the lower triangle of m x m tiles, with its diagonal, occurs once.
#pragma once

#include "05_triangular_map/block_map.hpp"
#include "05_triangular_map/maps.cuh"

namespace nbody::inline NBODY_PRECISION::triangular {

/// No tile. Do not use it in a conditional with a variable, because no GPU has its address.
constexpr Tile kNoTile = {-1, -1};

/// Returns the columns of the balanced grid: the smallest square that holds \p count blocks.
inline unsigned balancedSide(unsigned long long count) {
  auto side = static_cast<unsigned long long>(std::sqrt(static_cast<double>(count)));
  while (side * side < count) ++side;
  while ((side - 1) * (side - 1) >= count) --side;
  return static_cast<unsigned>(side);
}

inline dim3 balancedGrid(unsigned long long count) {
  const unsigned side = balancedSide(count);
  return foldedGrid(side, static_cast<unsigned>((count + side - 1) / side));
}

__host__ __device__ inline unsigned long long trianglePlaces(int m) {
  return static_cast<unsigned long long>(m) * (m + 1ull) / 2;
}

/// Bounding box: all m x m blocks. Those above the diagonal return at once.
struct BoxMap {
  explicit BoxMap(int m) : m(m) {}
  int m;
  dim3 grid() const { return foldedGrid(m, m); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    return x <= y && y < static_cast<unsigned>(m) ? Tile{static_cast<int>(y), static_cast<int>(x)}
                                                  : kNoTile;
  }
};

/// lambda, exact, over a balanced grid. Index: unsigned is enough for 65,535 tiles a side.
template <class Index>
struct BasicLambdaMap {
  static constexpr bool kTriangle = true;  ///< rows and columns are the same bodies
  explicit BasicLambdaMap(int m)
      : side(balancedSide(trianglePlaces(m))), places(static_cast<Index>(trianglePlaces(m))) {}
  unsigned side;
  Index places;
  dim3 grid() const { return balancedGrid(places); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    const Index w = static_cast<Index>(y) * side + x;
    return w < places ? lambdaExact(w) : kNoTile;
  }
};

/// lambda for any number of tiles that fits an int.
using LambdaMap = BasicLambdaMap<unsigned long long>;

/// Rectangle: the triangle folded into (m + 1) / 2 columns.
struct RectangleMap {
  explicit RectangleMap(int m) : m(m) {}
  int m;
  dim3 grid() const { return foldedGrid((m + 1) / 2, m | 1); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    if (y >= (static_cast<unsigned>(m) | 1u)) return kNoTile;
    return rectangle(static_cast<int>(x), static_cast<int>(y), m);
  }
};

/// Recursive partition, all levels in one launch over a balanced grid. Index: see BasicLambdaMap.
template <class Index>
struct BasicRecursiveMap {
  explicit BasicRecursiveMap(int m)
      : m(m), side(balancedSide(trianglePlaces(m))), places(static_cast<Index>(trianglePlaces(m))) {
    while ((m - 1) >> levels != 0) ++levels;
  }
  int m;
  int levels = 0;
  unsigned side;
  Index places;
  dim3 grid() const { return balancedGrid(places); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    const Index w = static_cast<Index>(y) * side + x;
    return w < places ? recursive(w, m, levels) : kNoTile;
  }
};

/// The recursive partition for any number of tiles that fits an int.
using RecursiveMap = BasicRecursiveMap<unsigned long long>;

/// Map chosen by name at run time: one kernel for all maps.
struct AnyMap {
  static constexpr bool kTriangle = true;  ///< rows and columns are the same bodies
  AnyMap(BlockMap name, int m) : name(name), lambda(m), box(m), rectangle(m), recursive(m) {}
  BlockMap name;
  LambdaMap lambda;
  BoxMap box;
  RectangleMap rectangle;
  RecursiveMap recursive;
  dim3 grid() const {
    if (name == BlockMap::box) return box.grid();
    if (name == BlockMap::rectangle) return rectangle.grid();
    return name == BlockMap::recursive ? recursive.grid() : lambda.grid();
  }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    if (name == BlockMap::box) return box(x, y);
    if (name == BlockMap::rectangle) return rectangle(x, y);
    return name == BlockMap::recursive ? recursive(x, y) : lambda(x, y);
  }
};

}  // namespace nbody::inline NBODY_PRECISION::triangular
