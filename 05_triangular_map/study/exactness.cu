#include "05_triangular_map/study/exactness.hpp"

#include <algorithm>
#include <limits>

#include "05_triangular_map/study/tetrahedron.cuh"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

// A check has length(row) indices in each row, and right(row, k) tells whether one is correct.

__host__ __device__ inline bool same(Tile tile, int row, unsigned long long column) {
  return tile.row == row && static_cast<unsigned long long>(tile.column) == column;
}

/// Row i of the triangle with or without its diagonal, from a map of the index.
template <auto kMap, bool kDiagonal = true>
struct TriangleCheck {
  __host__ __device__ unsigned long long length(int row) const {
    return kDiagonal ? row + 1ull : row;
  }
  __host__ __device__ bool right(int row, unsigned long long column) const {
    return same(kMap(row * (row - 1ull + 2 * kDiagonal) / 2 + column), row, column);
  }
};

/// "Row" n: the first and the last pair of each row of the upper triangle of n. They are enough:
/// difference, rounding, root and quotient all fall as k grows, so a row that is correct at both
/// ends is correct in between.
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

/// Layer z of the tetrahedron, which has (z + 1) (z + 2) / 2 cells.
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

/// Equation 15 as printed. Its root is NaN for w = 0, which may be handled separately.
template <class Real, bool kZeroApart>
struct AsWritten {
  __host__ __device__ static Cell of(unsigned long long w) {
    return kZeroApart && w == 0 ? Cell{0, 0, 0} : tetrahedron<Real>(w, 0);
  }
};

/// Block b checks row `first + b`: all its indices, or its ends and its middle. Barriers: none.
/// firstWrong: the smallest row with a wrong index; one number.
template <class Check>
__global__ void searchKernel(Check check, int first, bool everyIndex, int* firstWrong) {
  const int row = first + static_cast<int>(blockIdx.x);
  const unsigned long long length = check.length(row);
  const unsigned long long count = everyIndex || length < 3 ? length : 3;
  for (unsigned long long k = threadIdx.x; k < count; k += blockDim.x) {
    const unsigned long long place = everyIndex || k == 0 ? k : k == 1 ? length - 1 : length / 2;
    if (!check.right(row, place)) atomicMin(firstWrong, row);
  }
}

/// Returns the first row from \p first to \p limit - 1 in which the check fails, or \p limit.
template <class Check>
int firstWrongRow(Check check, int first, int limit, bool everyIndex) {
  DeviceArray<int> found(1, "first wrong row");
  constexpr int kMaxRows = 1024;  // rows per launch, so that a search that fails early stops early
  for (int row = first; row < limit; row += kMaxRows) {
    found.upload({std::numeric_limits<int>::max()});
    const unsigned rows = std::min(kMaxRows, limit - row);
    searchKernel<Check>
        <<<rows, everyIndex ? 128u : 32u, 0, stream()>>>(check, row, everyIndex, found.data());
    CUDA_CHECK(cudaGetLastError());
    const int wrong = found.download()[0];
    if (wrong < limit) return wrong;
  }
  return limit;
}

/// Sizes up to which every index is tried: less than a second on a GPU, about two on the executor.
/// Below 65,536 rows every index of the triangle is below 2^31.
#ifdef NBODY_GPU
constexpr int kEveryRow = 65535;
constexpr int kEveryLayer = 2048;
constexpr int kBodies = 32768;
#else
constexpr int kEveryRow = 5000;  // the best one, the default root, fails earlier
constexpr int kEveryLayer = 200;
constexpr int kBodies = 5000;
#endif
constexpr int kRows = 65535;
constexpr int kLayers = 1 << 19;

/// Searches one map for errors. A size is correct if all rows up to it are.
template <class Check>
Exactness rows(const std::string& map, int limit = kEveryRow, bool everyIndex = true) {
  return {map, "tile rows", firstWrongRow(Check(), 0, limit, everyIndex), limit, everyIndex};
}

template <class Check>
Exactness layers(const std::string& map, int limit = kEveryLayer, bool everyIndex = true) {
  return {map, "layers", firstWrongRow(Check(), 0, limit, everyIndex), limit, everyIndex};
}

/// Each n is tested alone. The result is the first failure minus one.
template <bool kExact>
Exactness bodies(const std::string& map, int limit = kBodies) {
  const int wrong = firstWrongRow(UpperTriangularCheck<kExact>(), 2, limit + 1, true);
  return {map, "bodies", wrong - 1, limit, true};
}

template <class Root>
using RootCheck = TriangleCheck<lambda<Root>>;
template <class Root>
using RootBelowDiagonalCheck = TriangleCheck<lambdaBelowDiagonal<Root>, false>;
using ExactCheck = TriangleCheck<lambdaExact<unsigned>>;
template <class Real>
using PaperCheck = TetrahedronCheck<PaperTetrahedron<Real>>;

}  // namespace

std::vector<Exactness> findExactness() {
  std::vector<Exactness> found = {
      rows<RootCheck<DefaultRoot>>("lambda-x"),
      rows<RootBelowDiagonalCheck<DefaultRoot>>("lambda-x, no diagonal"),
      rows<RootCheck<NewtonRoot>>("lambda-n"),
      rows<RootBelowDiagonalCheck<NewtonRoot>>("lambda-n, no diagonal"),
      rows<RootCheck<ReciprocalRoot>>("lambda-r"),
      rows<RootBelowDiagonalCheck<ReciprocalRoot>>("lambda-r, no diagonal"),
      rows<ExactCheck>("lambda"),
      rows<TriangleCheck<lambdaExactBelowDiagonal<unsigned>, false>>("lambda, no diagonal"),
      bodies<false>("utm"),
      bodies<true>("utm-exact"),
      layers<TetrahedronCheck<AsWritten<float, false>>>("tetrahedron as written, FP32"),
      layers<TetrahedronCheck<AsWritten<double, false>>>("tetrahedron as written, FP64"),
      layers<TetrahedronCheck<AsWritten<float, true>>>("tetrahedron, w = 0 apart, FP32"),
      layers<TetrahedronCheck<AsWritten<double, true>>>("tetrahedron, w = 0 apart, FP64"),
      layers<PaperCheck<float>>("tetrahedron, w = 0 apart, epsilon 1e-4, FP32"),
      layers<PaperCheck<double>>("tetrahedron, w = 0 apart, epsilon 1e-4, FP64"),
      layers<TetrahedronCheck<ExactTetrahedron>>("tetrahedron"),
      layers<TetrahedronCheck<ExactTetrahedron>>("tetrahedron", kLayers, false)};
  if (kEveryRow < kRows) found.push_back(rows<ExactCheck>("lambda", kRows, false));
  return found;
}

int exactUpTo(const std::string& map, int limit) {
  if (map == "lambda-x") return rows<RootCheck<DefaultRoot>>(map, limit).exactUpTo;
  if (map == "lambda-n") return rows<RootCheck<NewtonRoot>>(map, limit).exactUpTo;
  if (map == "lambda-r") return rows<RootCheck<ReciprocalRoot>>(map, limit).exactUpTo;
  if (map == "tetrahedron-fp32") return layers<PaperCheck<float>>(map, limit).exactUpTo;
  if (map == "tetrahedron-fp64") return layers<PaperCheck<double>>(map, limit).exactUpTo;
  return map == "utm" ? bodies<false>(map, limit).exactUpTo : limit;
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
