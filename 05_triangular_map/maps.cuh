/// \file
/// Maps from a linear index to a place in a triangle. They use arithmetic only, no table.
///
/// Source: Navarro, Bustos and Hitschfeld, "A Non-linear GPU Thread Map for Triangular Domains",
/// equations 4 and 5. All indices start at 0. The triangle is the lower one: row i holds
/// columns 0 to i, and rows follow each other, so that row i starts at i (i + 1) / 2.
#pragma once

#include <cmath>
#include <cstring>

#include "cuda/cuda.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// A square of the triangle: of tiles in block space, of single pairs in thread space.
struct Tile {
  int row;
  int column;
};

/// Square root by sqrtf, which GPU and CPU round correctly.
struct DefaultRoot {
  __host__ __device__ static float of(float x) { return sqrtf(x); }
};

/// Square root by three Newton-Raphson steps for 1 / sqrt(x), from a magic constant.
struct NewtonRoot {
  __host__ __device__ static float of(float x) {
    int bits;
    std::memcpy(&bits, &x, sizeof x);
    bits = 0x5f3759df - (bits >> 1);
    float inverse;
    std::memcpy(&inverse, &bits, sizeof inverse);
    for (int k = 0; k < 3; ++k) inverse *= 1.5f - 0.5f * x * inverse * inverse;
    return x * inverse + 1e-4f;  // epsilon: a root rounded down would give the previous row
  }
};

/// Square root as x / sqrt(x), with the reciprocal root that GPU and CPU round differently.
struct ReciprocalRoot {
  __host__ __device__ static float of(float x) { return x * rsqrtf(x) + 1e-4f; }
};

/// lambda (equation 4): tile w of the triangle with its diagonal. Correct up to a row that depends
/// on Root and on the device.
template <class Root>
__host__ __device__ inline Tile lambda(unsigned w) {
  const int i = static_cast<int>(Root::of(0.25f + 2.0f * static_cast<float>(w)) - 0.5f);
  return {i, static_cast<int>(w - static_cast<unsigned>(i) * (i + 1u) / 2)};
}

/// lambda without the diagonal (equation 5): row i has columns 0 to i - 1.
template <class Root>
__host__ __device__ inline Tile lambdaBelowDiagonal(unsigned w) {
  const int i = static_cast<int>(Root::of(0.25f + 2.0f * static_cast<float>(w)) + 0.5f);
  return {i, static_cast<int>(w - static_cast<unsigned>(i) * (i - 1u) / 2)};
}

/// lambda for every w: the row from sqrtf, corrected with integers. unsigned serves w below 2^31,
/// where one correction is enough; unsigned long long serves w below 2^59.
template <class Index>
__host__ __device__ inline Tile lambdaExact(Index w) {
  Index i = static_cast<Index>(sqrtf(0.25f + 2.0f * static_cast<float>(w)) - 0.5f);
  Index start = i % 2 == 0 ? i / 2 * (i + 1) : (i + 1) / 2 * i;  // i (i + 1) would need a bit more
  while (start > w) start -= i--;
  while (w - start > i) start += ++i;
  return {static_cast<int>(i), static_cast<int>(w - start)};
}

/// lambdaExact() for the triangle without its diagonal.
template <class Index>
__host__ __device__ inline Tile lambdaExactBelowDiagonal(Index w) {
  const Tile tile = lambdaExact(w);
  return {tile.row + 1, tile.column};
}

/// Rectangle (RB) of (m + 1) / 2 columns, rounded down, and m | 1 rows. The triangle's columns from
/// the middle on are turned by half a circle into the free corner. Even m: m / 2 by m + 1, as in
/// the paper. Odd m, which the paper does not mention: (m + 1) / 2 by m, without a shift of the
/// rows. Both have exactly m (m + 1) / 2 places.
__host__ __device__ inline Tile rectangle(int x, int y, int m) {
  const int shift = 1 - m % 2;
  if (x < y + 1 - shift) return {y - shift, x};
  return {m - 1 - y, m - shift - x};
}

/// Recursive partition (REC): the squares of one level, of side 2^level, below the
/// diagonal. Returns column x of row y of its strip, the rows whose bit `level` is set.
__host__ __device__ inline Tile recursiveLevel(int x, int y, int level) {
  const int side = 1 << level;
  const int first = (y >> level) << (level + 1);  // start of the square's half
  return {first + side + (y & (side - 1)), first + x};
}

/// Returns the number of rows of a level, which are those whose bit `level` is set.
__host__ __device__ inline int recursiveRows(int m, int level) {
  const int side = 1 << level;
  const int ragged = (m & (2 * side - 1)) - side;  // rows of a last square that m cuts off
  return ((m >> (level + 1)) << level) + (ragged > 0 ? ragged : 0);
}

/// Recursive partition in one launch, for any m: the levels from the largest squares down, each
/// with whole rows, then the diagonal. The first level has up to half of all w, the next half of
/// the rest: two iterations on average. Index: see lambdaExact.
/// \param levels  number of bits of m - 1
template <class Index>
__host__ __device__ inline Tile recursive(Index w, int m, int levels) {
  for (int level = levels - 1; level >= 0; --level) {
    const Index held = static_cast<Index>(recursiveRows(m, level)) << level;
    if (w < held) {
      const int x = static_cast<int>(w & ((Index{1} << level) - 1));
      return recursiveLevel(x, static_cast<int>(w >> level), level);
    }
    w -= held;
  }
  return {static_cast<int>(w), static_cast<int>(w)};
}

/// UTM (Avril, Gouranton and Arnaldi; thread space): pair k of the upper triangle of n without its
/// diagonal, row a < column b, both from 0. Row a starts at a (2n - a - 1) / 2; solved for a, this
/// has the root of (2n - 1)^2 - 8k. The integer is rounded once on its way to FP32, so the map is
/// correct up to an n that depends on the rounding.
__host__ __device__ inline Tile upperTriangular(unsigned long long k, int n) {
  const unsigned long long b = 2ull * n - 1;
  const float root = sqrtf(static_cast<float>(b * b - 8 * k));
  const long long a = static_cast<long long>((static_cast<float>(b) - root) / 2);
  return {static_cast<int>(a),
          static_cast<int>(static_cast<long long>(k) - a * (2LL * n - a - 1) / 2 + a + 1)};
}

/// upperTriangular() for every k of n up to 2^20: integers correct the row.
__host__ __device__ inline Tile upperTriangularExact(unsigned long long k, int n) {
  Tile pair = upperTriangular(k, n);
  while (pair.column <= pair.row) {  // before the row's start: column n - 1 ends the row above
    pair.column += n - 1 - pair.row;
    --pair.row;
  }
  while (pair.column >= n) {
    ++pair.row;
    pair.column += pair.row + 1 - n;
  }
  return pair;
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
