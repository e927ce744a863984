/// \file
/// Maps from a linear index to a cell of a tetrahedron: the layer from a cubic root, then lambda of
/// maps.cuh within the layer.
///
/// Source: that of maps.cuh, equations 10 to 17.
#pragma once

#include <cmath>

#include "05_triangular_map/maps.cuh"

namespace nbody::inline NBODY_PRECISION::triangular {

/// A cell of the tetrahedron, layer >= row >= column. Layer z is a triangle of z + 1 rows, and
/// layers follow each other: layer z starts at T(z) = z (z + 1) (z + 2) / 6 (equation 13).
struct Cell {
  int layer;
  int row;
  int column;
};

/// Returns T(z), the number of cells in the layers before z. z below 2^20.
__host__ __device__ inline unsigned long long tetrahedralNumber(unsigned long long z) {
  return z * (z + 1) / 2 * (z + 2) / 3;  // z (z + 1) / 2 times z + 2 has the factor 3
}

/// Equation 15 as printed: the real root v of v^3 + 3 v^2 + 2 v - 6 w = 0. NaN for w = 0, because
/// the inner root is of a negative number.
template <class Real>
__host__ __device__ inline Real tetrahedralRoot(unsigned long long w) {
  const Real x = static_cast<Real>(w);
  const Real c = std::cbrt(std::sqrt(729 * x * x - 3) + 27 * x);
  const Real three = 3;
  return c / std::cbrt(three * three) + 1 / (std::cbrt(three) * c) - 1;
}

/// The paper's tetrahedral map: layer, then row and column with equations 16 and 17 in FP32.
/// \param epsilon  added to the root, so that a root rounded down still gives its layer
template <class Real>
__host__ __device__ inline Cell tetrahedron(unsigned long long w, Real epsilon) {
  const Real v = tetrahedralRoot<Real>(w) + epsilon;
  if (!(v >= 0)) return {-1, -1, -1};  // NaN, which cannot become an integer
  const int z = static_cast<int>(v);
  const Tile tile = lambda<DefaultRoot>(static_cast<unsigned>(w - tetrahedralNumber(z)));
  return {z, tile.row, tile.column};
}

/// The tetrahedral map for every w below 2^57: v + 1 is nearly cbrt(6 w), corrected with integers.
__host__ __device__ inline Cell tetrahedronExact(unsigned long long w) {
  unsigned long long z = static_cast<unsigned long long>(cbrtf(6.0f * static_cast<float>(w)));
  while (tetrahedralNumber(z) > w) --z;
  while (tetrahedralNumber(z + 1) <= w) ++z;
  const Tile tile = lambdaExact(w - tetrahedralNumber(z));
  return {static_cast<int>(z), tile.row, tile.column};
}

/// The two maps as classes for kernel templates. The paper's map adds its epsilon, and handles w =
/// 0 separately, because its root is NaN.
template <class Real>
struct PaperTetrahedron {
  __host__ __device__ static Cell of(unsigned long long w) {
    return w == 0 ? Cell{0, 0, 0} : tetrahedron<Real>(w, static_cast<Real>(1e-4));
  }
};

struct ExactTetrahedron {
  __host__ __device__ static Cell of(unsigned long long w) { return tetrahedronExact(w); }
};

}  // namespace nbody::inline NBODY_PRECISION::triangular
