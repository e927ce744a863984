#include "exactness.hpp"

#include <algorithm>
#include <limits>

#include "maps.cuh"

namespace nbody {

namespace {

/// Block b tries row `first + b` of a check: all its indices, or its ends and its middle.
/// firstWrong: the least row with an index that is wrong; one number. No barriers.
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

/// The first row from \p first to \p limit - 1 in which the check fails, otherwise \p limit.
template <class Check>
int firstWrongRow(Check check, int first, int limit, bool everyIndex) {
  DeviceArray<int> found(1, "first wrong row");
  constexpr int kMostRows = 1024;  // of a launch: a search that soon ends should not run on
  for (int row = first; row < limit; row += kMostRows) {
    found.upload({std::numeric_limits<int>::max()});
    const unsigned rows = std::min(kMostRows, limit - row);
    launch(
        {rows, everyIndex ? 128u : 32u}, searchKernel<Check>, check, row, everyIndex, found.data());
    const int wrong = found.download()[0];
    if (wrong < limit) return wrong;
  }
  return limit;
}

__host__ __device__ inline bool same(Tile tile, int row, unsigned long long column) {
  return tile.row == row && static_cast<unsigned long long>(tile.column) == column;
}

/// Row i of the triangle with its diagonal, by a map of its own.
template <class Map>
struct TriangleCheck {
  __host__ __device__ unsigned long long length(int row) const { return row + 1ull; }
  __host__ __device__ bool right(int row, unsigned long long column) const {
    return same(Map::of(row * (row + 1ull) / 2 + column), row, column);
  }
};

/// Row i of the triangle without its diagonal: i columns.
template <class Map>
struct BelowDiagonalCheck {
  __host__ __device__ unsigned long long length(int row) const { return row; }
  __host__ __device__ bool right(int row, unsigned long long column) const {
    return same(Map::of(row * (row - 1ull) / 2 + column), row, column);
  }
};

template <class Root>
struct Lambda {
  __host__ __device__ static Tile of(unsigned long long w) {
    return lambda<Root>(static_cast<unsigned>(w));
  }
};

template <class Root>
struct LambdaBelowDiagonal {
  __host__ __device__ static Tile of(unsigned long long w) {
    return lambdaBelowDiagonal<Root>(static_cast<unsigned>(w));
  }
};

template <class Index>
struct ExactLambda {
  __host__ __device__ static Tile of(unsigned long long w) {
    return lambdaExact(static_cast<Index>(w));
  }
};

struct ExactLambdaBelowDiagonal {
  __host__ __device__ static Tile of(unsigned long long w) {
    return lambdaExactBelowDiagonal(static_cast<unsigned>(w));
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

template <class Real>
struct WithEpsilon {
  __host__ __device__ static Cell of(unsigned long long w) {
    return w == 0 ? Cell{0, 0, 0} : tetrahedron<Real>(w, static_cast<Real>(1e-4));
  }
};

struct ExactTetrahedron {
  __host__ __device__ static Cell of(unsigned long long w) { return tetrahedronExact(w); }
};

/// Sizes up to which every index is tried: those of a GPU take it under a second in all, those of
/// the executor about two. Below 65,536 rows every index of the triangle is below 2^31.
struct Limits {
#ifdef NBODY_GPU
  int everyRow = 65535;
  int everyLayer = 2048;
  int bodies = 32768;
#else
  int everyRow = 5000;  // the default root, the best, fails before
  int everyLayer = 200;
  int bodies = 5000;
#endif
  int rows = 65535;
  int layers = 1 << 19;
};

/// Adds what is found about one map of a triangle or tetrahedron: a size is right where all rows
/// before it are.
template <class Check>
void search(std::vector<Exactness>& found,
            const std::string& map,
            const std::string& unit,
            Check check,
            int limit,
            bool everyIndex = true) {
  found.push_back({map, unit, firstWrongRow(check, 0, limit, everyIndex), limit, everyIndex});
}

template <class Root>
void searchRoot(std::vector<Exactness>& found, const std::string& name) {
  const Limits limits;
  const std::string unit = "tile rows";
  search(found, name, unit, TriangleCheck<Lambda<Root>>(), limits.everyRow);
  search(found,
         name + ", no diagonal",
         unit,
         BelowDiagonalCheck<LambdaBelowDiagonal<Root>>(),
         limits.everyRow);
}

void searchTriangle(std::vector<Exactness>& found) {
  const Limits limits;
  const std::string unit = "tile rows";
  searchRoot<DefaultRoot>(found, "lambda-x");
  searchRoot<NewtonRoot>(found, "lambda-n");
  searchRoot<ReciprocalRoot>(found, "lambda-r");
  const TriangleCheck<ExactLambda<unsigned>> exact;
  search(found, "lambda", unit, exact, limits.everyRow);
  if (limits.everyRow < limits.rows) search(found, "lambda", unit, exact, limits.rows, false);
  const BelowDiagonalCheck<ExactLambdaBelowDiagonal> below;
  search(found, "lambda, no diagonal", unit, below, limits.everyRow);
}

void searchPairs(std::vector<Exactness>& found) {
  const int limit = Limits().bodies;
  // A size's own pairs are tried, not those before it: the last right size is one before the wrong.
  for (bool exact : {false, true}) {
    const int wrong = exact ? firstWrongRow(UpperTriangularCheck<true>(), 2, limit + 1, true)
                            : firstWrongRow(UpperTriangularCheck<false>(), 2, limit + 1, true);
    found.push_back({exact ? "utm-exact" : "utm", "bodies", wrong - 1, limit, true});
  }
}

template <template <class> class Variant>
void searchTetrahedron(std::vector<Exactness>& found, const std::string& name) {
  const int limit = Limits().everyLayer;
  search(found, name + ", FP32", "layers", TetrahedronCheck<Variant<float>>(), limit);
  search(found, name + ", FP64", "layers", TetrahedronCheck<Variant<double>>(), limit);
}

}  // namespace

std::vector<Exactness> findExactness() {
  std::vector<Exactness> found;
  searchTriangle(found);
  searchPairs(found);
  searchTetrahedron<AsWritten>(found, "tetrahedron as written");
  searchTetrahedron<ZeroApart>(found, "tetrahedron, w = 0 apart");
  searchTetrahedron<WithEpsilon>(found, "tetrahedron, w = 0 apart, epsilon 1e-4");
  const Limits limits;
  const TetrahedronCheck<ExactTetrahedron> exact;
  search(found, "tetrahedron", "layers", exact, limits.everyLayer);
  search(found, "tetrahedron", "layers", exact, limits.layers, false);
  return found;
}

int exactRows(const std::string& map, int limit) {
  if (map == "lambda-x") return firstWrongRow(TriangleCheck<Lambda<DefaultRoot>>(), 0, limit, true);
  if (map == "lambda-n") return firstWrongRow(TriangleCheck<Lambda<NewtonRoot>>(), 0, limit, true);
  return firstWrongRow(TriangleCheck<Lambda<ReciprocalRoot>>(), 0, limit, true);
}

int exactLayers(const std::string& map, int limit) {
  if (map == "tetrahedron-fp32")
    return firstWrongRow(TetrahedronCheck<WithEpsilon<float>>(), 0, limit, true);
  return firstWrongRow(TetrahedronCheck<WithEpsilon<double>>(), 0, limit, true);
}

int exactBodies(int limit) {
  return firstWrongRow(UpperTriangularCheck<false>(), 2, limit + 1, true) - 1;
}

}  // namespace nbody
