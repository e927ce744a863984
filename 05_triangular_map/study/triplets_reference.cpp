#include "05_triangular_map/study/triplets.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bodies/vectors.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

void addTriplet(const Double4& i, const Double4& j, const Double4& k, CellReference& sum) {
  const Double4 ij = minus(j, i);
  const Double4 ik = minus(k, i);
  const Double4 jk = minus(k, j);
  const double product = dot(ij, ij) * dot(ik, ik) * dot(jk, jk);
  const double inverseCube = 1 / (product * std::sqrt(product));
  const double cosines = -dot(ij, ik) * dot(ij, jk) * dot(ik, jk) / product;
  sum.energy += (1 + 3 * cosines) * inverseCube;
  sum.scale += inverseCube;
  ++sum.triplets;
}

CellReference referenceCell(const std::vector<Double4>& bodies, int layer, int row, int column) {
  const int n = static_cast<int>(bodies.size());
  CellReference sum = {0, 0, 0};
  for (int i = layer * kCellSide; i < std::min(n, (layer + 1) * kCellSide); ++i)
    for (int j = row * kCellSide; j < std::min(i, (row + 1) * kCellSide); ++j)
      for (int k = column * kCellSide; k < std::min(j, (column + 1) * kCellSide); ++k)
        addTriplet(bodies[i], bodies[j], bodies[k], sum);
  return sum;
}

/// Cells of one layer and row: columns 0 to row.
struct Row {
  int layer;
  int row;
  std::size_t first;  ///< its first cell
};

}  // namespace

std::vector<CellReference> referenceTriplets(const std::vector<float4>& rounded) {
  const std::vector<Double4> bodies = converted<Double4>(rounded);
  // Counted here, without the map that is to be checked.
  const int m = (static_cast<int>(bodies.size()) + kCellSide - 1) / kCellSide;
  std::vector<Row> rows;
  std::size_t cells = 0;
  for (int layer = 0; layer < m; ++layer) {
    for (int row = 0; row <= layer; ++row) {
      rows.push_back({layer, row, cells});
      cells += row + 1;
    }
  }
  std::vector<CellReference> sums(cells);
  parallelForEach(static_cast<int>(rows.size()), 16, [&](int r) {
    for (int column = 0; column <= rows[r].row; ++column)
      sums[rows[r].first + column] = referenceCell(bodies, rows[r].layer, rows[r].row, column);
  });
  return sums;
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
