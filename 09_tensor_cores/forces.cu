/// \file
/// Step 09, tensor cores: a tile of squared distances is a product of two matrices, and so is the
/// sum of the pulls. In between, each element becomes the cube of its reciprocal root. With x from
/// the centre of a tile and s_ij = (r_ij^2 + epsilon^2)^(-3/2):
///
///     a_i = sum_j s_ij m_j x_j - x_i sum_j s_ij m_j    rows: bodies i, which are pulled
///                                                      columns: bodies j, which pull
///
/// Parent: 03_unrolled. What changed: bodies are sorted along a curve, and far tiles are
/// multiplied. Predicted limiter: the unit for roots, which computes one per interaction.
#include "09_tensor_cores/elements.cuh"
#include "09_tensor_cores/order.cuh"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::tensor {

struct Workspace {
  SortedTiles tiles;
};
std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

constexpr int kThreads = 128, kBodies = kTile / kThreads;  // bodies of a thread in near tiles
constexpr int kSixteens = 4;  // groups of 16 rows whose fragments a warp holds

__device__ inline real inverseCube(real squared) {
  const real inverse = rsqrt(squared);
  return inverse * inverse * inverse;
}

/// Adds the pull of body j to the acceleration of body i, as step 03 does.
__device__ inline void addPull(real4 bodyI,
                               real4 bodyJ,
                               real softeningSquared,
                               real3& acceleration) {
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  const real s = bodyJ.w * inverseCube(softeningSquared + squaredLength(r));
  acceleration = {acceleration.x + s * r.x, acceleration.y + s * r.y, acceleration.z + s * r.z};
}

/// Adds the pulls of a near tile, in shared memory, on a thread's bodies: the loop of step 03.
__device__ inline void addNear(const real4 (&body)[kBodies],
                               const real4* tile,
                               real softeningSquared,
                               real3 (&acceleration)[kBodies]) {
#pragma unroll 16
  for (int j = 0; j < kTile; ++j)
    for (int b = 0; b < kBodies; ++b) addPull(body[b], tile[j], softeningSquared, acceleration[b]);
}

/// Fragments of a warp's rows: of each 16 rows, those of elements 0 to 7 and of elements 8 to 15.
using Rows = unsigned[kSixteens][2][4];

/// Loads the rows of a warp. A lane holds elements t, t + 4, t + 8 and t + 12 of rows g and g + 8.
__device__ inline void loadRows(Rows& a, const Elements* elements, int firstRow, int lane) {
  const int g = lane / 4, t = lane % 4;
  for (int m = 0; m < kSixteens; ++m)
    for (int h = 0; h < 2; ++h) {  // rows g and g + 8
      const float4 four = elements[firstRow + 16 * m + 8 * h + g][t];
      a[m][0][h] = __float_as_uint(four.x), a[m][0][2 + h] = __float_as_uint(four.y);
      a[m][1][h] = __float_as_uint(four.z), a[m][1][2 + h] = __float_as_uint(four.w);
    }
}

/// Adds two products: squared distances, and the sums of s m x, s m y, s m z and s m over a far tile,
/// which is in shared memory. s is the inverse cube of the distance, minus \p middle.
/// \param sums  rows g and g + 8, columns 2t and 2t + 1; columns 4 to 7 are of the second parts
__device__ inline void addFar(const Rows& a,
                              const Elements* elements,
                              const Weights* weights,
                              int lane,
                              float middle,
                              float (&sums)[kSixteens][4]) {
  const int g = lane / 4, t = lane % 4;
  float ofTile[kSixteens][4] = {};
#pragma unroll 2
  for (int e = 0; e < kTile / 8; ++e) {
    const float4 four = elements[8 * e + g][t];
    const float2 two = weights[e][lane];
    const unsigned first[2] = {__float_as_uint(four.x), __float_as_uint(four.y)};
    const unsigned second[2] = {__float_as_uint(four.z), __float_as_uint(four.w)};
    const unsigned weight[2] = {__float_as_uint(two.x), __float_as_uint(two.y)};
    for (int m = 0; m < kSixteens; ++m) {
      float d[4] = {0, 0, 0, 0};  // r^2 + epsilon^2: of rows g, g + 8 and columns 2t, 2t + 1
      multiplyTf32(d, a[m][0], first);
      multiplyTf32(d, a[m][1], second);
      // The elements are rounded, because tensor cores cut off bits, and all would be too small.
      unsigned s[4];
      for (int k = 0; k < 4; ++k) s[k / 2 + k % 2 * 2] = roundedTf32(inverseCube(d[k]) - middle);
      multiplyTf32(ofTile[m], s, weight);  // columns 2t and 2t + 1 as its elements t and t + 4
    }
  }
  for (int m = 0; m < kSixteens; ++m)
    for (int k = 0; k < 4; ++k) sums[m][k] += ofTile[m][k];  // per tile, which rounds less
}

/// Adds the accelerations of a tile's bodies, the rows, from some tiles of columns.
/// \param accelerations  x, y, z, 0 in the caller's order; length N
/// Shared memory: 33 KiB. Barriers: two per tile, and two more.
__global__ void __launch_bounds__(kThreads, 4) forcesKernel(Tiles tiles,
                                                            int columnsPerBlock,
                                                            real softeningSquared,
                                                            real4* __restrict__ accelerations) {
  __shared__ Elements elements[kTile];  // first of the rows, then of each tile's columns
  __shared__ Weights weights[kTile / 8];
  __shared__ float2 pulls[kTile][2];
  real4* tile = elements[0];
  const int row = blockIdx.x, thread = threadIdx.x, lane = thread % 32, g = lane / 4, t = lane % 4;
  const int firstRow = thread / 32 * 16 * kSixteens;  // first row of the warp
  const TileBox box = tiles.boxes[row];
  const auto fromCentre = [&](real4 body) -> real3 {
    return {body.x - box.centre.x, body.y - box.centre.y, body.z - box.centre.z};
  };
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) {
    body[b] = tiles.sorted[row * kTile + thread + b * kThreads];
    layOutRow(elements[thread + b * kThreads], fromCentre(body[b]), softeningSquared);
  }
  __syncthreads();  // all rows are written
  Rows a;
  loadRows(a, elements, firstRow, lane);
  float sums[kSixteens][4] = {};
  float4 common = {0, 0, 0, 0};  // the part that is the same for all rows
  const int first = (blockIdx.y + gridDim.y * blockIdx.z) * columnsPerBlock;
  const int end = min(tiles.count(), first + columnsPerBlock);
  for (int column = first; column < end; ++column) {
    const TilePair pair = pairOfTiles(box, tiles.boxes[column]);
    const bool far = isFar(pair);  // the same for the whole block
    __syncthreads();  // the last tile is read
    for (int j = thread; j < kTile; j += kThreads) {
      const real4 source = tiles.sorted[column * kTile + j];
      if (far) {
        layOutColumn(elements[j], fromCentre(source));
        layOutWeights(weights[j / 8], j % 8, fromCentre(source), source.w);
      } else tile[j] = source;
    }
    __syncthreads();  // the tile is whole
    if (!far) {
      addNear(body, tile, softeningSquared, acceleration);
      continue;
    }
    // The s of the two centres acts equally on all rows, so the product rounds only the rest.
    const float middle = inverseCube(softeningSquared + squaredLength(pair.offset));
    addMoments(common, middle, pair.offset, tiles.boxes[column].moments);
    addFar(a, elements, weights, lane, middle, sums);
  }
  for (int m = 0; m < kSixteens; ++m)
    for (int h = 0; h < 2; ++h) {  // adds both parts: those of lanes t and t + 2
      const float x = sums[m][2 * h] + __shfl_xor_sync(0xffffffffu, sums[m][2 * h], 2);
      const float y = sums[m][2 * h + 1] + __shfl_xor_sync(0xffffffffu, sums[m][2 * h + 1], 2);
      if (t < 2) pulls[firstRow + 16 * m + 8 * h + g][t] = {x, y};
    }
  __syncthreads();  // all sums are written: of s m x and s m y, of s m z and s m
  for (int b = 0; b < kBodies; ++b) {
    const int i = thread + b * kThreads, place = row * kTile + i;
    const float2 xy = pulls[i][0], zm = pulls[i][1];
    const float m = zm.y + common.w;  // sum of s m
    const real3 x = fromCentre(body[b]), near = acceleration[b];
    const real3 sum = {near.x + xy.x + common.x - x.x * m,
                       near.y + xy.y + common.y - x.y * m,
                       near.z + zm.x + common.z - x.z * m};
    if (place < tiles.bodies) atomicAdd(accelerations + tiles.order[place], padded(sum));
  }
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory) {
  const Tiles tiles = memory.tiles.make(bodies, options.largestShare());
  const int columns = options.ordered ? tiles.count() : 8;  // columns per block
  accelerations.clear();  // the blocks add to them
  const dim3 blocks = foldedGrid(tiles.count(), blocksFor(tiles.count(), columns));
  forcesKernel<<<blocks, kThreads, 0, stream()>>>(
      tiles, columns, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
