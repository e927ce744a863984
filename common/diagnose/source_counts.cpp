#include "diagnose/source_counts.hpp"

#include <bit>

#include "base/parallel.hpp"

namespace nbody {

namespace {

constexpr int kMaxUnknowns = 1024;  // a matrix of 8 MB, solved in a second
constexpr int kMaxGroups = 128;

using Column = std::vector<double>;

/// Returns the equations. Column g has the pull of group g on each target, three rows per target. A
/// row is in units of the lengths of its terms, so that a dense centre does not count more.
std::vector<Column> pullsOf(const Bodies& bodies, const ForceLaw& law,
                            const std::vector<int>& targets, int groupSize,
                            std::vector<double>& scales) {
  const int groups = (bodies.count() + groupSize - 1) / groupSize;
  std::vector<Column> columns(groups, Column(3 * targets.size(), 0.0));
  parallelForEach(static_cast<int>(targets.size()), 1, [&](int k) {
    for (int j = 0; j < bodies.count(); ++j) {
      const Double4 pull = pullBy(law, bodies.positions[targets[k]], bodies.positions[j]);
      double* rows = &columns[j / groupSize][3 * k];
      rows[0] += pull.x;
      rows[1] += pull.y;
      rows[2] += pull.z;
      scales[k] += pull.w;
    }
    for (Column& column : columns)
      for (int row = 3 * k; row < 3 * k + 3; ++row) column[row] /= scales[k];
  });
  return columns;
}

/// Removes from a column what one vector for all targets contributes.
void removeOffset(Column& column, const std::vector<double>& scales) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double product = 0, square = 0;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      product += column[3 * k + axis] / scales[k];
      square += 1 / (scales[k] * scales[k]);
    }
    for (std::size_t k = 0; k < scales.size(); ++k)
      column[3 * k + axis] -= product / square / scales[k];
  }
}

}  // namespace

std::vector<int> sourceCounts(const Bodies& bodies, const ForceLaw& law,
                              const std::vector<int>& targets,
                              const std::vector<Double4>& accelerations, bool eachSource,
                              bool anyOffset) {
  constexpr int kWarp = 32;
  const int count = bodies.count();
  const int warps = (count + kWarp - 1) / kWarp;
  // A power of two, so that tiles begin and end where groups do.
  const unsigned warpsInGroup = std::bit_ceil((warps + kMaxGroups - 1u) / kMaxGroups);
  const int groupSize = eachSource ? 1 : kWarp * static_cast<int>(warpsInGroup);
  const int groups = (count + groupSize - 1) / groupSize;
  // Twice as many equations as unknowns, so that nothing fits by chance.
  if (groups > kMaxUnknowns || 3 * targets.size() < 2 * static_cast<std::size_t>(groups)) return {};
  std::vector<double> scales(targets.size(), 0.0);
  auto columns = pullsOf(bodies, law, targets, groupSize, scales);
  Column right;
  for (std::size_t k = 0; k < targets.size(); ++k)
    for (double component : {accelerations[k].x, accelerations[k].y, accelerations[k].z})
      right.push_back(component / scales[k]);
  if (anyOffset) {
    for (Column& column : columns) removeOffset(column, scales);
    removeOffset(right, scales);
  }
  const std::vector<int> ofGroups = leastSquares(columns, right, count + 1);
  std::vector<int> counts;
  for (int j = 0; j < count && !ofGroups.empty(); ++j) counts.push_back(ofGroups[j / groupSize]);
  return counts;
}

}  // namespace nbody
