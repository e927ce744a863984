/// \file
/// Bodies as rows and columns of the products of step 09. Source: PTX ISA, "Matrix Fragments for mma.m16n8k8".
///
/// All coordinates are from one centre. A row x and a column X have 16 slots each, and the products of their
/// slots add up to |X|^2 - 2 x X. First and second parts are TF32 numbers, whose products are exact:
///
///     slot      0 to 2       3 to 5       6 to 8       9 to 11      12 to 14                15
///     row       x1 y1 z1     x1 y1 z1     x2 y2 z2     x2 y2 z2     1  1  1                 0
///     column    -2 X1 ...    -2 X2 ...    -2 X1 ...    -2 X2 ...    |X|^2 in three parts    0
#pragma once

#include "cuda/cuda.hpp"
#include "cuda/tensor_cores.cuh"

namespace nbody::tensor {

/// A number in two parts, both TF32 with 11 significant bits: 22 bits together.
struct Split {
  float first, second;
};

__device__ inline Split split(float x) {
  const float first = __uint_as_float(toTf32(x));
  return {first, __uint_as_float(toTf32(x - first))};
}

/// Returns the place of slot k: lane t finds the four that it holds, t, t + 4, t + 8 and t + 12, side by side.
__host__ __device__ constexpr int placeOfSlot(int k) { return 4 * (k % 4) + k / 4; }

/// Lays out \p x as a row.
__device__ inline void layOutRow(float (&slots)[16], float3 x) {
  const Split parts[3] = {split(x.x), split(x.y), split(x.z)};
  for (int k = 0; k < 12; ++k)
    slots[placeOfSlot(k)] = k < 6 ? parts[k % 3].first : parts[k % 3].second;
  for (int k = 12; k < 16; ++k) slots[placeOfSlot(k)] = k < 15 ? 1 : 0;
}

/// Lays out \p x as a column.
__device__ inline void layOutColumn(float (&slots)[16], float3 x) {
  const Split parts[3] = {split(x.x), split(x.y), split(x.z)};
  for (int k = 0; k < 12; ++k)
    slots[placeOfSlot(k)] = -2 * (k / 3 % 2 == 0 ? parts[k % 3].first : parts[k % 3].second);
  const float square = x.x * x.x + x.y * x.y + x.z * x.z;
  const Split high = split(square);
  const float squares[4] = {high.first, high.second, square - high.first - high.second, 0};
  for (int k = 12; k < 16; ++k) slots[placeOfSlot(k)] = squares[k - 12];
}

/// Matrix B of the second product: a row for each of 8 sources, with m x, m y, m z, m in columns 0 to 3 as first
/// parts, in 4 to 7 as second. Lane 4 g + t holds column g of sources 2t and 2t + 1.
using Weights = float[32][2];

/// Lays out source \p j of 8.
__device__ inline void layOutWeights(Weights& weights, int j, float3 x, float m) {
  const Split parts[4] = {split(m * x.x), split(m * x.y), split(m * x.z), split(m)};
  for (int g = 0; g < 8; ++g)
    weights[4 * g + j / 2][j % 2] = g < 4 ? parts[g].first : parts[g - 4].second;
}

}  // namespace nbody::tensor
