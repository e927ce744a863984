/// \file
/// The study's maps, as a thread sees them (block and thread -> a pair of bodies), and its kernels.
/// Each kernel is a template over its map. Blocks have `block` x `block` threads, and thread (x, y)
/// of tile (I, J) has the pair of bodies I * block + y and J * block + x. As in UTM, pairs of a
/// body with itself are left out.
#pragma once

#include "05_triangular_map/block_maps.cuh"

namespace nbody::inline NBODY_PRECISION::triangular {

/// lambda over the grid of LambdaMap, with one of the paper's square roots. Correct only up to some
/// number of rows.
template <class Root>
struct RootMap : BasicLambdaMap<unsigned> {
  using BasicLambdaMap::BasicLambdaMap;
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    const unsigned w = y * side + x;
    return w < places ? lambda<Root>(w) : kNoTile;
  }
};

/// One level of the recursive partition, launched alone as in the paper. Level -1 is the diagonal.
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

/// UTM: a thread's linear index -> its pair; the threads of a block share no tile. The upper
/// triangle turned by half a circle is the lower one, and neighbours of a row stay neighbours.
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

/// True if a map gives whole tiles, whose bodies a block can share.
template <class Map>
inline constexpr bool kTiles = true;
template <bool kExact>
inline constexpr bool kTiles<PairMap<kExact>> = false;

/// Returns this thread's pair, row > column >= 0 and below n, or kNoTile. A map beyond its range
/// may give any tile, so the comparison keeps its threads within the arrays.
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

/// Calls \p use with the map of each launch of the study's map \p name, for n bodies in tiles of \p
/// block. There is one launch, or one per level of the recursive partition. Indices of 32 bits are
/// enough for the study's n, at most 262,144 in tiles of 8.
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

/// A sphere in D dimensions: its centre, then its radius. Aligned to its 8 or 16 bytes, so that one
/// load reads it.
template <int kDimensions>
struct alignas((kDimensions + 1) * sizeof(float)) Sphere {
  float centre[kDimensions];
  float radius;
};

__host__ __device__ inline unsigned long long pairIndex(Tile pair) {
  return pair.row * (pair.row - 1ull) / 2 + pair.column;
}

/// The paper's dummy: every pair writes the sum of its indices to one place.
/// \param out  one number; any pair may be the last to write it
template <class Map>
__global__ void dummyKernel(Map map, int n, int* out) {
  const Tile pair = pairOfThread(map, n);
  if (pair.row >= 0) *out = pair.row + pair.column;
}

/// The map alone: like the dummy, but no pair writes, so that no write waits for another.
/// \param never  a sum that no pair has; the compiler does not know that
template <class Map>
__global__ void indexKernel(Map map, int n, int never, int* out) {
  const Tile pair = pairOfThread(map, n);
  if (pair.row >= 0 && pair.row + pair.column == never) *out = never;
}

/// Euclidean distance of four features, all from global memory. Its instructions are spelled out,
/// because the kernels of two maps could round differently otherwise.
/// \param points     length n
/// \param distances  out: row i, column j < i at i (i - 1) / 2 + j
template <class Map>
__global__ void distanceKernel(Map map,
                               int n,
                               const float4* __restrict__ points,
                               float* distances) {
  const Tile pair = pairOfThread(map, n);
  if (pair.row < 0) return;
  const float4 a = points[pair.row];
  const float4 b = points[pair.column];
  const float x = a.x - b.x;
  const float y = a.y - b.y;
  const float z = a.z - b.z;
  const float w = a.w - b.w;
  distances[pairIndex(pair)] = sqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, w * w))));
}

template <int kDimensions>
__device__ inline bool touch(const Sphere<kDimensions>& a, const Sphere<kDimensions>& b) {
  float squared = 0;
  for (int d = 0; d < kDimensions; ++d) {
    const float r = a.centre[d] - b.centre[d];
    squared = fmaf(r, r, squared);
  }
  const float reach = a.radius + b.radius;
  return squared <= reach * reach;
}

/// Collisions of spheres. A block with a tile loads its 2 x block spheres into shared memory.
/// \param spheres   length n
/// \param count     one number, to which the collisions are added
/// \param list      out: row and column of each, in any order; length capacity, a power of two.
///                  It wraps around, so that a timed run needs no cleared count
/// Shared memory: 2 x block spheres. Barriers: one; only whole blocks leave before it.
template <int kDimensions, class Map>
__global__ void collisionKernel(Map map,
                                int n,
                                const Sphere<kDimensions>* __restrict__ spheres,
                                unsigned* count,
                                Tile* list,
                                unsigned capacity) {
  bool found = false;
  Tile pair;
  if constexpr (kTiles<Map>) {
    const Tile tile = map(blockIdx.x, blockIdx.y + gridDim.y * blockIdx.z);
    if (tile.row < 0) return;
    const int block = static_cast<int>(blockDim.x);
    extern __shared__ float4 sharedSpheres[];  // one type for every instance of the kernel
    auto* rows = reinterpret_cast<Sphere<kDimensions>*>(sharedSpheres);
    Sphere<kDimensions>* columns = rows + block;
    // Threads of y = 0 load the spheres of the tile's rows, those of y = 1 of its columns.
    const int first = (threadIdx.y == 0 ? tile.row : tile.column) * block;
    const int mine = max(0, min(first + static_cast<int>(threadIdx.x), n - 1));
    if (threadIdx.y < 2) rows[threadIdx.y * block + threadIdx.x] = spheres[mine];
    __syncthreads();  // both halves are there before any thread reads them
    pair = {static_cast<int>(tile.row * block + threadIdx.y),
            static_cast<int>(tile.column * block + threadIdx.x)};
    if (pair.row < n && pair.column >= 0 && pair.column < pair.row)
      found = touch(rows[threadIdx.y], columns[threadIdx.x]);
  } else {
    pair = pairOfThread(map, n);
    if (pair.row >= 0) found = touch(spheres[pair.row], spheres[pair.column]);
  }
  if (found) list[atomicAdd(count, 1u) & (capacity - 1)] = pair;
}

/// \param marks  row i, column j < i at i (i - 1) / 2 + j: each thread of the pair adds 1
template <class Map>
__global__ void markKernel(Map map, int n, unsigned* marks) {
  const Tile pair = pairOfThread(map, n);
  if (pair.row >= 0) atomicAdd(&marks[pairIndex(pair)], 1u);
}

/// Adds to \p wrong the number of indices below \p length for which \p isWrong holds. The threads
/// of the grid share the indices.
template <class IsWrong>
__device__ void countWrong(unsigned long long length, unsigned long long* wrong, IsWrong isWrong) {
  const unsigned long long threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  unsigned long long mine = 0;
  for (unsigned long long k =
           blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
       k < length;
       k += threads)
    if (isWrong(k)) ++mine;
  if (mine > 0) atomicAdd(wrong, mine);
}

/// Counts the marks that are not 1.
__global__ inline void countMarksKernel(const unsigned* marks,
                                        unsigned long long length,
                                        unsigned long long* wrong) {
  countWrong(length, wrong, [=](unsigned long long k) { return marks[k] != 1; });
}

/// Counts the numbers that are NaN or differ, in any bit, from those of another map.
__global__ inline void compareKernel(const float* expected,
                                     const float* found,
                                     unsigned long long length,
                                     unsigned long long* wrong) {
  countWrong(length, wrong, [=](unsigned long long k) {
    return __float_as_uint(expected[k]) != __float_as_uint(found[k]) || !(found[k] == found[k]);
  });
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
