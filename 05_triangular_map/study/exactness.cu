#include "study/exactness.hpp"

#include <algorithm>
#include <limits>

#include "study/exactness_checks.cuh"

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
  constexpr int kMaxRows = 1024;  // of a launch, so that a search that fails early stops early
  for (int row = first; row < limit; row += kMaxRows) {
    found.upload({std::numeric_limits<int>::max()});
    const unsigned rows = std::min(kMaxRows, limit - row);
    launch(
        {rows, everyIndex ? 128u : 32u}, searchKernel<Check>, check, row, everyIndex, found.data());
    const int wrong = found.download()[0];
    if (wrong < limit) return wrong;
  }
  return limit;
}

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
  // Each n is tested alone: the answer is the first failure minus one.
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
  searchTetrahedron<PaperTetrahedron>(found, "tetrahedron, w = 0 apart, epsilon 1e-4");
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
    return firstWrongRow(TetrahedronCheck<PaperTetrahedron<float>>(), 0, limit, true);
  return firstWrongRow(TetrahedronCheck<PaperTetrahedron<double>>(), 0, limit, true);
}

int exactBodies(int limit) {
  return firstWrongRow(UpperTriangularCheck<false>(), 2, limit + 1, true) - 1;
}

}  // namespace nbody
