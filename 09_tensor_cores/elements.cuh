/// \file
/// Bodies as rows and columns of the products of step 09. Source: PTX ISA, "Matrix Fragments for mma.m16n8k8".
///
/// Coordinates are from one centre. A row x and a column X have 16 elements each, whose products add
/// up to r^2 + epsilon^2 = (|x|^2 + epsilon^2) + |X|^2 - 2 x X. All elements are TF32 numbers, so
/// their products are exact.
///
///     element   0 to 2       3 to 5       6 to 8       9 to 11     12 to 14                15
///     row       x1 y1 z1     x1 y1 z1     x2 y2 z2     1  1  1     |x|^2 + epsilon^2       0
///     column    -2 X1 ...    -2 X2 ...    -2 X1 ...    |X|^2       1  1  1                 0
///
/// A square has three elements for its three parts. The product of two second parts is left out,
/// because it is below 2^-24 of the first.
#pragma once

#include "cuda/cuda.hpp"
#include "cuda/tensor_cores.cuh"

namespace nbody::inline NBODY_PRECISION::tensor {

/// A number in two parts, both TF32 with 11 significant bits: 22 bits together.
struct Split {
  float first, second;
};

__device__ inline Split split(float x) {
  const float first = __uint_as_float(toTf32(x));
  return {first, __uint_as_float(toTf32(x - first))};
}

/// Elements of a body. Lane t uses t, t + 4, t + 8 and t + 12, which are next to each other. The fifth
/// float4 is empty, so that the next body is in other banks.
using Elements = float4[5];

__device__ inline void putElements(Elements& elements, const float (&element)[16]) {
  for (int t = 0; t < 4; ++t)
    elements[t] = {element[t], element[t + 4], element[t + 8], element[t + 12]};
}

/// Writes \p x as a row.
__device__ inline void layOutRow(Elements& elements, float3 x, float softeningSquared) {
  const Split a = split(x.x), b = split(x.y), c = split(x.z);
  const float square = softeningSquared + x.x * x.x + x.y * x.y + x.z * x.z;
  const Split s = split(square);
  putElements(elements,
              {a.first,
               b.first,
               c.first,
               a.first,
               b.first,
               c.first,
               a.second,
               b.second,
               c.second,
               1,
               1,
               1,
               s.first,
               s.second,
               square - s.first - s.second,
               0});
}

/// Writes \p x as a column.
__device__ inline void layOutColumn(Elements& elements, float3 x) {
  const Split a = split(-2 * x.x), b = split(-2 * x.y), c = split(-2 * x.z);
  const float square = x.x * x.x + x.y * x.y + x.z * x.z;
  const Split s = split(square);
  putElements(elements,
              {a.first,
               b.first,
               c.first,
               a.second,
               b.second,
               c.second,
               a.first,
               b.first,
               c.first,
               s.first,
               s.second,
               square - s.first - s.second,
               1,
               1,
               1,
               0});
}

/// Matrix B of the second product: a row for each of 8 sources, with m x, m y, m z, m in columns 0
/// to 3 as first parts, in 4 to 7 as second parts. Lane 4 g + t holds column g of sources 2t and 2t
/// + 1. The last four elements are empty, so that the next sources are in other banks.
using Weights = float2[32 + 4];

/// Writes source \p j of 8.
__device__ inline void layOutWeights(Weights& weights, int j, float3 x, float m) {
  const Split parts[4] = {split(m * x.x), split(m * x.y), split(m * x.z), split(m)};
  for (int g = 0; g < 8; ++g) {
    float* two = &weights[4 * g + j / 2].x;
    two[j % 2] = g < 4 ? parts[g].first : parts[g - 4].second;
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
