/// \file
/// Forces between two far tiles, each pair once, with products of matrices.
///
/// With x from the centre of a body's own tile, d from one centre to the other, and
/// S_ij = (r_ij^2 + epsilon^2)^(-3/2):
///
///     r_ij^2 + epsilon^2 = r_i + q_j - 2 x_i x_j,  r_i = |d - x_i|^2 + epsilon^2,  q_j = |x_j|^2 + 2 d x_j
///     a_i = sum_j S_ij m_j x_j + (d - x_i) sum_j S_ij m_j      S times the columns m x, m y, m z, m
///     a_j = sum_i S_ij m_i x_i - (d + x_j) sum_i S_ij m_i      S transposed times the same
///
/// Rows and columns of the first product have 16 elements of FP16. x1 + x2 is a coordinate in two
/// parts; r and q have three:
///
///     element       0 to 2      3 to 5      6 to 8      9 to 11     12 to 14    15
///     of row i      x1 y1 z1    x1 y1 z1    x2 y2 z2    1  1  1     r1 r2 r3    0
///     of column j   -2 x1 ...   -2 x2 ...   -2 x1 ...   q1 q2 q3    1  1  1     0
///
/// The product of two second parts is left out, because it is below 2^-24 of the first.
///
/// Before it is multiplied, S is rounded to FP16's 11 bits. Between small tiles that are far apart
/// all S are nearly equal, so the products use S - S_0, with S_0 for the two centres. The part of
/// S_0 follows from the sums of m x, m y, m z and m over a tile.
#pragma once

#include "05_triangular_map/sums.cuh"
#include "09_tensor_cores/halves.cuh"
#include "cuda/tensor_cores.cuh"

namespace nbody::inline NBODY_PRECISION::tensor {

using triangular::PairSums;

constexpr int kSixteens = kTile / 16;  ///< groups of 16 rows or columns in a tile
constexpr int kRows = 4;  ///< groups of 16 rows whose fragments a warp holds
constexpr int kFarWarps = kSixteens / kRows;
constexpr int kFarThreads = 32 * kFarWarps;
constexpr int kOwn = kTile / kFarThreads;  ///< rows, and columns, of one thread

/// Shared memory of a block. The index [32] is the lane.
struct FarMemory {
  uint4 columns[kSixteens][32];  ///< matrix B of the first product, for 8 columns and 8 more
  uint2 weights[kSixteens][32];  ///< matrix B of the pulls on the rows
  uint2 rowTerms[kTile];  ///< r1 r2 | r3 0
  float4 actions[kTile][2];  ///< sums for each row: of first parts, of second parts
  float4 reactions[kFarWarps][kTile][2];  ///< sums for each column, over the rows of one warp
};

/// Fragments of the rows of a lane's warp.
struct RowFragments {
  unsigned elements[kRows][4];  ///< matrix A of the first product
  unsigned weights[kRows][2];  ///< matrix B of the pulls on the columns
};

/// Values of a pair of tiles.
struct FarPair {
  float3 offset;  ///< d
  float scale;  ///< 4^n; brings the largest r^2 to between 2 and 8, and so S into the range of FP16
  float strength;  ///< scale^(3/2): S is too small by this factor
  float middle;  ///< S_0
};

__device__ inline FarPair farPair(const TilePair& pair, float softeningSquared) {
  const float3 d = pair.offset;
  const int n = (2 - exponentOf(pair.reach + softeningSquared)) >> 1;
  const float scale = powerOfTwo(2 * n);
  const float root = rsqrtf(scale * (squaredLength(d) + softeningSquared));
  return {d, scale, scale * powerOfTwo(n), root * root * root};
}

constexpr unsigned kOne = 0x3c00, kOnes = 0x3c003c00;  ///< 1 as FP16, and two of them

/// Selectors for __byte_perm(): which half of the first word becomes the lower half, and which half
/// of the second word the upper.
constexpr unsigned kLowLow = 0x5410, kHighLow = 0x5432, kHighHigh = 0x7632;

/// Returns three FP16 numbers with the sum \p x, and 0.
__device__ inline uint2 threeParts(float x) {
  const float x1 = firstPart(x), x2 = firstPart(x - x1);
  return {pairOf(x1, x2), pairOf(x - x1 - x2, 0)};
}

/// Returns elements 2t, 2t + 1 and 2t + 8, 2t + 9 of a row, with 0 instead of r.
__device__ inline uint2 rowElements(uint4 parts, int t) {
  const unsigned x1y1 = parts.x, z1x2 = parts.y, y2z2 = parts.z;
  if (t == 0) return {x1y1, __byte_perm(y2z2, kOnes, kHighHigh)};
  if (t == 1) return {__byte_perm(z1x2, x1y1, kLowLow), kOnes};
  if (t == 2) return {__byte_perm(x1y1, z1x2, kHighLow), 0};
  return {__byte_perm(z1x2, y2z2, kHighLow), 0};
}

/// Returns the place where lane t of four finds column g's elements. Lanes use different banks when
/// columns are written and when they are read.
__device__ inline int placeOfElements(int g, int t) { return 4 * g + (t ^ (g / 2)); }

/// Writes column \p j of a tile.
/// \param factor  -2 times the ratio of the scales of both products
__device__ inline void layOutColumn(FarMemory& shared,
                                    int j,
                                    float4 x,
                                    uint4 parts,
                                    const FarPair& pair,
                                    __half2 factor) {
  const float3 d = pair.offset;
  const uint2 q = threeParts(
      pair.scale * (x.x * (x.x + 2 * d.x) + x.y * (x.y + 2 * d.y) + x.z * (x.z + 2 * d.z)));
  const unsigned x1y1 = scaledPair(parts.x, factor), z1x2 = scaledPair(parts.y, factor);
  const unsigned y2z2 = scaledPair(parts.z, factor);
  const int g = j % 8;
  const auto put = [&](int t, unsigned low, unsigned high) {
    reinterpret_cast<uint2*>(&shared.columns[j / 16][placeOfElements(g, t)])[j / 8 % 2] = {low,
                                                                                           high};
  };
  put(0, x1y1, __byte_perm(z1x2, q.x, kLowLow));
  put(1, z1x2, __byte_perm(q.x, q.y, kHighLow));
  put(2, y2z2, kOnes);
  put(3, x1y1, kOne);
}

/// Loads the fragments of the warp's rows of tile \p row.
__device__ inline void loadRows(const Halves& halves, int row, RowFragments& rows) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  for (int m = 0; m < kRows; ++m) {
    const int sixteen = row * kSixteens + threadIdx.x / 32 * kRows + m;
    for (int h = 0; h < 2; ++h) {
      const uint2 elements = rowElements(halves.parts[16 * sixteen + 8 * h + g], t);
      rows.elements[m][h] = elements.x, rows.elements[m][2 + h] = elements.y;
    }
    const uint2 weights = halves.weights[32 * sixteen + lane];
    rows.weights[m][0] = weights.x, rows.weights[m][1] = weights.y;
  }
}

/// Writes the row terms of a new pair of tiles into their elements, of lanes with t = 2 and 3.
__device__ inline void loadRowTerms(const FarMemory& shared, RowFragments& rows) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  for (int m = 0; m < kRows; ++m)
    for (int h = 0; h < 2; ++h) {
      const uint2 r = shared.rowTerms[(threadIdx.x / 32 * kRows + m) * 16 + 8 * h + g];
      if (t >= 2) rows.elements[m][2 + h] = t == 2 ? r.x : r.y;
    }
}

/// Returns S - S_0 for two scaled squared distances.
__device__ inline unsigned inverseCubes(float u, float v, float middle) {
  const float p = rsqrtf(u), q = rsqrtf(v);
  return pairOf(p * p * p - middle, q * q * q - middle);
}

/// Multiplies the warp's rows with all columns: distances, pulls on the rows, pulls on the columns.
/// No barrier, because each warp writes only its own sums.
__device__ inline void multiply(FarMemory& shared, const RowFragments& rows, float middle) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int place = placeOfElements(lane / 4, lane % 4);
  float onRows[kRows][4] = {};
  uint4 next = shared.columns[0][place];
#pragma unroll 1
  for (int n = 0; n < kSixteens; ++n) {
    const unsigned low[2] = {next.x, next.y}, high[2] = {next.z, next.w};
    next = shared.columns[min(n + 1, kSixteens - 1)][place];  // early: a product waits for it
    const uint2 w = shared.weights[n][lane];
    const unsigned weights[2] = {w.x, w.y};
    float onColumns[4] = {};
#pragma unroll
    for (int m = 0; m < kRows; ++m) {
      float u[4] = {}, v[4] = {};  // columns 2t, 2t + 1 and 8 more: of row g, then of g + 8
      multiplyHalves(u, rows.elements[m], low);
      multiplyHalves(v, rows.elements[m], high);
      const unsigned s[4] = {inverseCubes(u[0], u[1], middle),
                             inverseCubes(u[2], u[3], middle),
                             inverseCubes(v[0], v[1], middle),
                             inverseCubes(v[2], v[3], middle)};
      multiplyHalves(onRows[m], s, weights);
      const unsigned transposed[4] = {transposedHalves(s[0]),
                                      transposedHalves(s[2]),
                                      transposedHalves(s[1]),
                                      transposedHalves(s[3])};
      multiplyHalves(onColumns, transposed, rows.weights[m]);
    }
    float2* sums = reinterpret_cast<float2*>(shared.reactions[warp][16 * n]);
    sums[lane] = {onColumns[0], onColumns[1]};
    sums[32 + lane] = {onColumns[2], onColumns[3]};
  }
  for (int m = 0; m < kRows; ++m) {
    float2* sums = reinterpret_cast<float2*>(shared.actions[(warp * kRows + m) * 16]);
    sums[lane] = {onRows[m][0], onRows[m][1]};
    sums[32 + lane] = {onRows[m][2], onRows[m][3]};
  }
}

/// Returns the sum of both parts for body \p k. Their order depends on k, so that lanes use
/// different banks.
__device__ inline float4 bothParts(const float4 (*sums)[2], int k) {
  const int turn = k / 4 % 2;
  const float4 a = sums[k][turn], b = sums[k][1 - turn];
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/// Returns the acceleration of a body from a tile.
/// \param away   from the body to the tile's centre
/// \param sums   of S - S_0 times the tile's scaled m x, m y, m z, m
/// \param tile   its sums of m x, m y, m z, m
__device__ inline float3 pull(float3 away,
                              float4 sums,
                              const TileScale& scale,
                              float4 tile,
                              const FarPair& pair) {
  const float strength = pair.strength * scale.perMass, middle = pair.strength * pair.middle;
  const float mass = strength * sums.w + middle * tile.w;
  const float length = strength * scale.perLength;
  return {length * sums.x + (middle * tile.x + away.x * mass),
          length * sums.y + (middle * tile.y + away.y * mass),
          length * sums.z + (middle * tile.z + away.z * mass)};
}

/// A block computes the forces between the tile of a row and far tiles of some columns before it.
/// Shared memory: a FarMemory. Barriers: two per column.
__global__ void __launch_bounds__(kFarThreads, 4) farKernel(Tiles tiles,
                                                            Halves halves,
                                                            int columnsPerBlock,
                                                            float softeningSquared,
                                                            PairSums result) {
  extern __shared__ uint4 memory[];
  FarMemory& shared = *reinterpret_cast<FarMemory*>(memory);
  const int row = result.endRow - 1 - blockIdx.x;  // the longest row first
  const int first = (blockIdx.y + gridDim.y * blockIdx.z) * columnsPerBlock;
  const int end = min(row, first + columnsPerBlock);
  const TileBox box = tiles.boxes[row];
  if (first >= end) return;  // the whole block
  const TileScale scale = halves.scales[row];
  bool any = false;  // any column is far
  RowFragments rows;
  loadRows(halves, row, rows);
  float3 x[kOwn], acceleration[kOwn] = {};
  for (int k = 0; k < kOwn; ++k) {
    const float4 body = halves.local[row * kTile + threadIdx.x + k * kFarThreads];
    x[k] = {body.x, body.y, body.z};
  }
  for (int column = first; column < end; ++column) {
    const TilePair boxes = pairOfTiles(box, tiles.boxes[column]);
    if (!isFar(boxes)) continue;  // the whole block
    any = true;
    const TileScale other = halves.scales[column];
    const FarPair pair = farPair(boxes, softeningSquared);
    const float3 d = pair.offset;
    const float4* bodies = halves.local + column * kTile;
    const __half2 factor = __float2half2_rn(-2 * pair.scale * scale.perLength * other.perLength);
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      const int j = threadIdx.x + k * kFarThreads;
      layOutColumn(shared, j, bodies[j], halves.parts[column * kTile + j], pair, factor);
      reinterpret_cast<uint4*>(shared.weights)[j] =
          reinterpret_cast<const uint4*>(halves.weights)[column * kTile + j];
      const float squared = squaredLength({d.x - x[k].x, d.y - x[k].y, d.z - x[k].z});
      shared.rowTerms[j] = threeParts(pair.scale * (softeningSquared + squared));
    }
    __syncthreads();  // columns and row terms are written, the last sums are read
    loadRowTerms(shared, rows);
    multiply(shared, rows, pair.middle);
    __syncthreads();  // all sums are written
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      const int j = threadIdx.x + k * kFarThreads;
      const float3 action = pull({d.x - x[k].x, d.y - x[k].y, d.z - x[k].z},
                                 bothParts(shared.actions, j),
                                 other,
                                 tiles.boxes[column].moments,
                                 pair);
      acceleration[k].x += action.x;
      acceleration[k].y += action.y;
      acceleration[k].z += action.z;
      float4 sums = {0, 0, 0, 0};
#pragma unroll
      for (int warp = 0; warp < kFarWarps; ++warp) {
        const float4 sum = bothParts(shared.reactions[warp], j);
        sums = {sums.x + sum.x, sums.y + sum.y, sums.z + sum.z, sums.w + sum.w};
      }
      const float4 body = bodies[j];
      const float3 reaction = pull({-d.x - body.x, -d.y - body.y, -d.z - body.z},
                                   sums,
                                   scale,
                                   tiles.boxes[row].moments,
                                   pair);
      const int place = column * kTile + j;
      if (place < tiles.bodies) result.addReaction({row, column}, place, 1, reaction);
    }
  }
  for (int k = 0; k < kOwn; ++k) {
    const int place = row * kTile + threadIdx.x + k * kFarThreads;
    if (any && place < tiles.bodies) result.addAction({row, first}, place, 1, acceleration[k]);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
