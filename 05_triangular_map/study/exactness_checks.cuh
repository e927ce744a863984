/// \file
/// What a map must give, row by row: length(row) indices, of which right(row, k) tells about one.
#pragma once

#include "study/tetrahedron.cuh"

namespace nbody {

__host__ __device__ inline bool same(Tile tile, int row, unsigned long long column) {
  return tile.row == row && static_cast<unsigned long long>(tile.column) == column;
}

/// Row i of the triangle with its diagonal, by a function of the index.
template <auto kMap>
struct TriangleCheck {
  __host__ __device__ unsigned long long length(int row) const { return row + 1ull; }
  __host__ __device__ bool right(int row, unsigned long long column) const {
    return same(kMap(row * (row + 1ull) / 2 + column), row, column);
  }
};

/// Row i of the triangle without its diagonal: i columns.
template <auto kMap>
struct BelowDiagonalCheck {
  __host__ __device__ unsigned long long length(int row) const { return row; }
  __host__ __device__ bool right(int row, unsigned long long column) const {
    return same(kMap(row * (row - 1ull) / 2 + column), row, column);
  }
};

/// "Row" n: the first and the last pair of each row of the upper triangle of n. They are enough:
/// difference, rounding, root and quotient all fall as k grows, so that what is right at both ends
/// of a row is right between.
template <bool kExact>
struct UpperTriangularCheck {
  __host__ __device__ unsigned long long length(int n) const { return 2 * (n - 1ull); }
  __host__ __device__ bool right(int n, unsigned long long k) const {
    const long long row = static_cast<long long>(k / 2);
    const long long column = k % 2 == 0 ? row + 1 : n - 1;
    const unsigned long long index = row * (2LL * n - row - 1) / 2 + column - row - 1;
    const Tile pair = kExact ? upperTriangularExact(index, n) : upperTriangular(index, n);
    return same(pair, static_cast<int>(row), column);
  }
};

/// Layer z of the tetrahedron, of (z + 1) (z + 2) / 2 cells.
template <class Map>
struct TetrahedronCheck {
  __host__ __device__ unsigned long long length(int layer) const {
    return (layer + 1ull) * (layer + 2ull) / 2;
  }
  __host__ __device__ bool right(int layer, unsigned long long w2) const {
    const Cell cell = Map::of(tetrahedralNumber(layer) + w2);
    return cell.layer == layer && cell.column >= 0 && cell.column <= cell.row &&
           cell.row * (cell.row + 1ull) / 2 + cell.column == w2;
  }
};

template <class Real>
struct AsWritten {
  __host__ __device__ static Cell of(unsigned long long w) { return tetrahedron<Real>(w, 0); }
};

template <class Real>
struct ZeroApart {
  __host__ __device__ static Cell of(unsigned long long w) {
    return w == 0 ? Cell{0, 0, 0} : tetrahedron<Real>(w, 0);
  }
};

}  // namespace nbody
