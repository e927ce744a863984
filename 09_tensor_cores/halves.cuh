/// \file
/// Bodies as numbers of 16 bits: x below 1 is the sum of two FP16 numbers, x1 + x2, to 22 bits.
#pragma once

#include <cuda_fp16.h>

#include "09_tensor_cores/order.cuh"

namespace nbody::inline NBODY_PRECISION::tensor {

/// Powers of two that bring a tile's coordinates and masses below 1, and their inverses.
struct TileScale {
  float length, mass;
  float perLength, perMass;
};

/// Bodies by tile, in the form for products of FP16 numbers.
struct Halves {
  float4* local;  ///< x, y, z from the tile's centre, mass
  uint4* parts;  ///< these coordinates, scaled: x1 y1 | z1 x2 | y2 z2 | unused
  uint2* weights;  ///< m x, m y, m z, m, scaled, in the lanes' order of matrix B: 32 per 16 bodies
  TileScale* scales;  ///< one per tile
};

/// Returns the bits of two FP16 numbers, each rounded to nearest.
__device__ inline unsigned pairOf(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  unsigned bits;
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

/// Returns the two FP16 numbers \p bits, multiplied by \p factor.
__device__ inline unsigned scaledPair(unsigned bits, __half2 factor) {
  __half2 pair;
  memcpy(&pair, &bits, sizeof bits);
  pair = __hmul2(pair, factor);
  memcpy(&bits, &pair, sizeof bits);
  return bits;
}

/// Returns \p x rounded to FP16, which is its first part.
__device__ inline float firstPart(float x) { return __half2float(__float2half_rn(x)); }

/// Returns 2^n; -126 <= n <= 127.
__device__ inline float powerOfTwo(int n) { return __int_as_float((n + 127) << 23); }

/// Returns n with 2^n <= x < 2^(n+1), for x above 0, which is limited to 2^-100 to 2^100.
__device__ inline int exponentOf(float x) {
  return (__float_as_int(fminf(fmaxf(x, 0x1p-100f), 0x1p100f)) >> 23) - 127;
}

/// A block of kTile threads converts a tile, each thread one body. Shared memory, barriers: none.
[[maybe_unused]] static __global__ void halvesKernel(Tiles tiles, Halves halves) {
  const int place = blockIdx.x * kTile + threadIdx.x;
  const TileBox box = tiles.boxes[blockIdx.x];
  const int length = exponentOf(fmaxf(fmaxf(box.half.x, box.half.y), box.half.z)) + 1;
  const int mass = exponentOf(box.largestMass) + 1;
  const TileScale scale = {
      powerOfTwo(-length), powerOfTwo(-mass), powerOfTwo(length), powerOfTwo(mass)};
  if (threadIdx.x == 0) halves.scales[blockIdx.x] = scale;
  const float4 body = tiles.sorted[place];
  const float4 local = {
      body.x - box.centre.x, body.y - box.centre.y, body.z - box.centre.z, body.w};
  halves.local[place] = local;
  const float x = scale.length * local.x, y = scale.length * local.y, z = scale.length * local.z;
  const float x1 = firstPart(x), y1 = firstPart(y), z1 = firstPart(z);
  halves.parts[place] = {pairOf(x1, y1), pairOf(z1, x - x1), pairOf(y - y1, z - z1), 0};

  // Matrix B has a row per body: first parts in columns 0 to 3, second parts in 4 to 7. Lane 4 g +
  // t holds column g of rows 2t, 2t + 1, then 2t + 8, 2t + 9.
  const int row = place % 16, t = row % 8 / 2;
  __half* own =
      reinterpret_cast<__half*>(halves.weights + place / 16 * 32 + t) + 2 * (row / 8) + row % 2;
  const float m = scale.mass * local.w;
  const float weights[4] = {m * x, m * y, m * z, m};
  for (int k = 0; k < 4; ++k) {
    const float first = firstPart(weights[k]);
    own[16 * k] = __float2half_rn(first);
    own[16 * (k + 4)] = __float2half_rn(weights[k] - first);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tensor
