/// \file
/// The maps of the study, as a kernel's threads see them: block and thread -> a pair of bodies.
#pragma once

#include "block_maps.cuh"

namespace nbody {

/// lambda over the same grid as LambdaMap by one of the paper's square roots: right up to a number
/// of rows only.
template <class Root>
struct RootMap : BasicLambdaMap<unsigned> {
  using BasicLambdaMap::BasicLambdaMap;
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    const unsigned w = y * side + x;
    return w < places ? lambda<Root>(w) : kNoTile;
  }
};

/// One level of the recursive partition, a launch of its own as in the paper; level -1 is the
/// diagonal.
struct RecursiveLevelMap {
  RecursiveLevelMap(int m, int level)
      : level(level), rows(level < 0 ? m : recursiveRows(m, level)) {}
  int level;
  int rows;
  dim3 grid() const { return foldedGrid(level < 0 ? 1 : 1u << level, rows); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    if (y >= static_cast<unsigned>(rows)) return kNoTile;
    const int row = static_cast<int>(y);
    return level < 0 ? Tile{row, row} : recursiveLevel(static_cast<int>(x), row, level);
  }
};

/// UTM: a thread's linear index -> its pair, with no tile shared by its block. The upper triangle
/// turned by half a circle is the lower one, and neighbours of a row stay neighbours.
template <bool kExact>
struct PairMap {
  PairMap(int n, int block)
      : n(n), pairs(n * (n - 1ull) / 2), blocks((pairs + block * block - 1) / (block * block)) {}
  int n;
  unsigned long long pairs;
  unsigned long long blocks;
  dim3 grid() const { return balancedGrid(blocks); }
  __device__ Tile operator()(unsigned long long k) const {
    if (k >= pairs) return kNoTile;
    const Tile pair = kExact ? upperTriangularExact(k, n) : upperTriangular(k, n);
    return {n - 1 - pair.row, n - 1 - pair.column};
  }
};

/// Whether a map gives whole tiles, whose bodies a block can share.
template <class Map>
inline constexpr bool kTiles = true;
template <bool kExact>
inline constexpr bool kTiles<PairMap<kExact>> = false;

/// This thread's pair: row > column >= 0, below n; kNoTile where it has none. A map beyond its
/// range may give any tile: the comparison keeps its threads within the arrays.
template <class Map>
__device__ inline Tile pairOfThread(const Map& map, int n) {
  const unsigned row = blockIdx.y + gridDim.y * blockIdx.z;
  Tile pair;
  if constexpr (kTiles<Map>) {
    const Tile tile = map(blockIdx.x, row);
    if (tile.row < 0) return kNoTile;
    pair = {static_cast<int>(tile.row * blockDim.y + threadIdx.y),
            static_cast<int>(tile.column * blockDim.x + threadIdx.x)};
  } else {
    const unsigned long long block = static_cast<unsigned long long>(row) * gridDim.x + blockIdx.x;
    pair = map(block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x);
  }
  if (pair.row < n && pair.column >= 0 && pair.column < pair.row) return pair;
  return kNoTile;
}

/// Calls \p use with each launch's map of the study's map \p name, for n bodies in tiles of
/// \p block: one launch, but for the levels of the recursive partition. Indices have 32 bits, as
/// the study's n, at most 262,144 in tiles of 8, allow.
template <class Use>
void forEachLaunch(const std::string& name, int n, int block, Use use) {
  const int m = static_cast<int>(blocksFor(n, block));
  if (name == "box") use(BoxMap(m));
  else if (name == "lambda") use(BasicLambdaMap<unsigned>(m));
  else if (name == "lambda-x") use(RootMap<DefaultRoot>(m));
  else if (name == "lambda-n") use(RootMap<NewtonRoot>(m));
  else if (name == "lambda-r") use(RootMap<ReciprocalRoot>(m));
  else if (name == "rectangle") use(RectangleMap(m));
  else if (name == "recursive") use(BasicRecursiveMap<unsigned>(m));
  else if (name == "recursive-levels")
    for (int level = -1; level < 0 || (m - 1) >> level != 0; ++level)
      use(RecursiveLevelMap(m, level));
  else if (name == "utm") use(PairMap<false>(n, block));
  else use(PairMap<true>(n, block));
}

}  // namespace nbody
