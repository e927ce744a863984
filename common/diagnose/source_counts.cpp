#include "diagnose/source_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.hpp"
#include "diagnose/force_laws.hpp"

namespace nbody {

namespace {

constexpr int kMaxUnknowns = 1024;  // a matrix of 8 MB, solved in a second
constexpr int kMaxGroups = 128;
constexpr std::size_t kRowsAtOnce = 256;  // of 1,000 columns 2 MB, which a cache holds
constexpr double kFarFromWhole = 0.05;

using Column = std::vector<double>;

double dot(const Column& a, const Column& b, std::size_t begin, std::size_t end) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = begin; k < end; ++k) sum += a[k] * b[k];
  return sum;
}

/// Adds to \p to the products of \p a with \p four columns at once, for each of its numbers is
/// then read once.
void addDots(const Column& a, const Column* four, std::size_t begin, std::size_t end, double* to) {
  const double *b0 = four[0].data(), *b1 = four[1].data(), *b2 = four[2].data(),
               *b3 = four[3].data();
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (std::size_t k = begin; k < end; ++k) {
    s0 += a[k] * b0[k];
    s1 += a[k] * b1[k];
    s2 += a[k] * b2[k];
    s3 += a[k] * b3[k];
  }
  to[0] += s0, to[1] += s1, to[2] += s2, to[3] += s3;
}

/// Adds to row \p a of the products of all columns those of the rows [begin, end).
void addRow(const Column* columns, int a, std::size_t begin, std::size_t end, Column& to) {
  int b = 0;
  for (; b + 4 <= a + 1; b += 4) addDots(columns[a], &columns[b], begin, end, &to[b]);
  for (; b <= a; ++b) to[b] += dot(columns[a], columns[b], begin, end);
}

/// Column g: the pull of group g on each target, three rows a target. A row is in units of the
/// lengths of its terms, so that the bodies in a dense centre count no more than the others.
std::vector<Column> pullsOf(const Bodies& bodies,
                            double softening,
                            const std::vector<int>& targets,
                            int groupSize,
                            std::vector<double>& scales) {
  const int groups = (bodies.count() + groupSize - 1) / groupSize;
  std::vector<Column> columns(groups, Column(3 * targets.size(), 0.0));
  const ForceLaw law = {.softeningSquared = softening * softening};
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

}  // namespace

std::vector<double> leastSquares(const std::vector<Column>& columns, const Column& right) {
  const std::size_t n = columns.size();
  std::vector<Column> lower(n);
  std::vector<double> x(n);
  const std::size_t rows = right.size();
  parallelFor(static_cast<int>(n), 1, [&](int first, int last) {
    for (int a = first; a < last; ++a)
      lower[a].resize(a + 1), x[a] = dot(columns[a], right, 0, rows);
    for (std::size_t begin = 0; begin < rows; begin += kRowsAtOnce)
      for (int a = first; a < last; ++a)
        addRow(&columns[0], a, begin, std::min(begin + kRowsAtOnce, rows), lower[a]);
  });
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b)
      lower[a][b] = (lower[a][b] - dot(lower[a], lower[b], 0, b)) / lower[b][b];
    const double pivot = lower[a][a] - dot(lower[a], lower[a], 0, a);
    if (!(pivot > 1e-12 * lower[a][a])) return {};
    lower[a][a] = std::sqrt(pivot);
  }
  for (std::size_t a = 0; a < n; ++a) x[a] = (x[a] - dot(lower[a], x, 0, a)) / lower[a][a];
  for (std::size_t a = n; a-- > 0;) {
    x[a] /= lower[a][a];
    for (std::size_t b = 0; b < a; ++b) x[b] -= lower[a][b] * x[a];
  }
  return x;
}

std::vector<int> sourceCounts(const Bodies& bodies,
                              double softening,
                              const std::vector<int>& targets,
                              const std::vector<Double4>& accelerations,
                              bool eachSource) {
  constexpr int kWarp = 32;
  const int count = bodies.count();
  const int warps = (count + kWarp - 1) / kWarp;
  // A power of two, so that the borders of tiles are among those of the groups.
  const unsigned warpsInGroup = std::bit_ceil((warps + kMaxGroups - 1u) / kMaxGroups);
  const int groupSize = eachSource ? 1 : kWarp * static_cast<int>(warpsInGroup);
  const int groups = (count + groupSize - 1) / groupSize;
  // Twice as many equations as unknowns, so that nothing fits by chance.
  if (groups > kMaxUnknowns || 3 * targets.size() < 2 * static_cast<std::size_t>(groups)) return {};
  std::vector<double> scales(targets.size(), 0.0);
  const auto columns = pullsOf(bodies, softening, targets, groupSize, scales);
  Column right;
  for (std::size_t k = 0; k < targets.size(); ++k)
    for (double component : {accelerations[k].x, accelerations[k].y, accelerations[k].z})
      right.push_back(component / scales[k]);
  const std::vector<double> solution = leastSquares(columns, right);
  std::vector<int> counts;
  if (solution.empty()) return counts;
  for (int j = 0; j < count; ++j) {
    const double number = solution[j / groupSize];
    if (!(std::abs(number - std::round(number)) <= kFarFromWhole) || std::abs(number) > count + 1)
      return {};
    counts.push_back(static_cast<int>(std::round(number)));
  }
  return counts;
}

std::vector<Double4> accelerationsFrom(const std::vector<int>& counts,
                                       const Bodies& bodies,
                                       double softening,
                                       const std::vector<int>& targets) {
  Bodies counted = bodies;
  for (int j = 0; j < bodies.count(); ++j) counted.positions[j].w *= counts[j];
  return accelerationsBy({.softeningSquared = softening * softening}, counted, targets);
}

}  // namespace nbody
