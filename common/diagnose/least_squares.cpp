#include "diagnose/source_counts.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace nbody {

namespace {

using Column = std::vector<double>;

constexpr std::size_t kRowsAtOnce = 512;  // four columns take 16 KB, which fits the L1 cache
/// Columns multiplied with as many others at once, so that a number is read once for four products.
constexpr int kAtOnce = 4;

double dot(const Column& a, const Column& b, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLanes = 16;  // independent sums, so that no addition waits for another
  double sums[kLanes] = {}, sum = 0;
  std::size_t k = begin;
  for (; k + kLanes <= end; k += kLanes)
#pragma omp simd
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (; k < end; ++k) sum += a[k] * b[k];
  for (const double one : sums) sum += one;
  return sum;
}

/// Adds the products of four columns \p a and four columns \p b, rows [begin, end), to places [at,
/// at + 4) of four columns \p to.
void addDots(const Column* a, const Column* b, std::size_t begin, std::size_t end, Column* to,
             std::size_t at) {
  constexpr std::size_t kLanes = 4;
  double sums[kAtOnce][kAtOnce][kLanes] = {};  // in registers, because all loops are unrolled
  const double *left[kAtOnce], *right[kAtOnce];
  for (int i = 0; i < kAtOnce; ++i) left[i] = a[i].data(), right[i] = b[i].data();
  std::size_t k = begin;
  for (; k + kLanes <= end; k += kLanes)
#pragma GCC unroll 4
    for (int i = 0; i < kAtOnce; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kAtOnce; ++j)
#pragma omp simd
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sums[i][j][lane] += left[i][k + lane] * right[j][k + lane];
  for (int i = 0; i < kAtOnce; ++i)
    for (int j = 0; j < kAtOnce; ++j) {
      double sum = k < end ? dot(a[i], b[j], k, end) : 0;
      for (const double one : sums[i][j]) sum += one;
      to[i][at + j] += sum;
    }
}

}  // namespace

std::vector<int> leastSquares(const std::vector<Column>& columns, const Column& right, int most) {
  constexpr double kFarFromWhole = 0.05;
  const std::size_t n = columns.size();
  const std::size_t rows = right.size(), tiled = n - n % kAtOnce;
  const int blocks = static_cast<int>(tiled / kAtOnce);
  std::vector<Column> lower(n, Column(n));
  std::vector<double> x(n);
  for (std::size_t a = 0; a < n; ++a) x[a] = dot(columns[a], right, 0, rows);
  const auto addBlock = [&](int block, std::size_t begin) {
    const std::size_t a = kAtOnce * block, end = std::min(begin + kRowsAtOnce, rows);
    for (std::size_t b = 0; b <= a; b += kAtOnce)
      addDots(&columns[a], &columns[b], begin, end, &lower[a], b);
  };
  // Pairs the first row of the triangle with the last, and so on, because each pair is equal work.
  parallelFor((blocks + 1) / 2, 1, 0, [&](int first, int last) {
    for (std::size_t begin = 0; begin < rows; begin += kRowsAtOnce)
      for (int block = first; block < last; ++block) {
        addBlock(block, begin);
        if (const int other = blocks - 1 - block; other != block) addBlock(other, begin);
      }
  });
  for (std::size_t a = tiled; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) lower[a][b] = dot(columns[a], columns[b], 0, rows);
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
  std::vector<int> whole;
  for (const double number : x) {
    if (!(std::abs(number - std::round(number)) <= kFarFromWhole && std::abs(number) <= most))
      return {};
    whole.push_back(static_cast<int>(std::round(number)));
  }
  return whole;
}

}  // namespace nbody
