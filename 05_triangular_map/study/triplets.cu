#include "05_triangular_map/study/triplets.hpp"

#include <cmath>

#include "05_triangular_map/study/exactness.hpp"
#include "05_triangular_map/study/tetrahedron.cuh"
#include "base/host_memory.hpp"
#include "bodies/vectors.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

constexpr unsigned kCellThreads = kCellSide * kCellSide * kCellSide;

/// Bounding box: m x m x m blocks. Those outside the tetrahedron return at once.
struct CellBox {
  explicit CellBox(int m) : m(m) {}
  int m;
  dim3 grid() const { return dim3(m, m, m); }
  __device__ Cell operator()(unsigned x, unsigned y, unsigned z) const {
    if (x > y || y > z) return {-1, -1, -1};
    return {static_cast<int>(z), static_cast<int>(y), static_cast<int>(x)};
  }
};

/// The tetrahedral map over a cubic grid. Variant: a map of the linear index.
template <class Variant>
struct CellMap {
  explicit CellMap(int m)
      : cells(tetrahedralNumber(m)), side(static_cast<unsigned>(std::cbrt(cells))) {
    while (static_cast<unsigned long long>(side) * side * side < cells) ++side;
  }
  unsigned long long cells;
  unsigned side;
  dim3 grid() const {
    const unsigned layer = side * side;
    return dim3(side, side, static_cast<unsigned>((cells + layer - 1) / layer));
  }
  __device__ Cell operator()(unsigned x, unsigned y, unsigned z) const {
    const unsigned long long w = (static_cast<unsigned long long>(z) * side + y) * side + x;
    return w < cells ? Variant::of(w) : Cell{-1, -1, -1};
  }
};

__device__ inline float3 difference(float4 to, float4 from) {
  return {to.x - from.x, to.y - from.y, to.z - from.z};
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Returns the energy of one triplet, 50 FLOP: (1 + 3 cos i cos j cos k) / (r_ij r_ik r_jk)^3. The
/// cosines of the angles come from scalar products, because differences of squares lose digits if
/// two bodies are close and the third is far.
__device__ inline float axilrodTeller(float4 i, float4 j, float4 k) {
  // [9 FLOP]
  const float3 ij = difference(j, i);
  const float3 ik = difference(k, i);
  const float3 jk = difference(k, j);
  // (r_ij r_ik r_jk)^2  [17 FLOP]
  const float product = dot(ij, ij) * dot(ik, ik) * dot(jk, jk);
  // its inverse, and the inverse to the power 3/2  [3 FLOP]
  const float root = rsqrtf(product);
  const float inverse = root * root;
  const float inverseCube = root * inverse;
  // -cos i cos j cos k: the side ij seen from j points the other way  [18 FLOP]
  const float cosines = dot(ij, ik) * dot(ij, jk) * dot(ik, jk) * inverse;
  return (1 - 3 * cosines) * inverseCube;  // [3 FLOP; 1 more for the sum]
}

/// Returns the sum of \p value over the warp, in every lane.
__device__ inline float warpSum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

/// Block b sums the triplets i > j > k of its cell (layer >= row >= column), one per thread. Thread
/// (x, y, z) has body x of the column, y of the row and z of the layer.
/// \param bodies  x, y, z, unused; length n
/// \param sums    out: one per cell, in the tetrahedron's order; length T(m)
/// Shared memory: 3 x kCellSide bodies, and a sum and a count per warp. Barriers: two; only whole
/// blocks return before them. Sums are FP32 in a warp, then FP64, always in the same order.
template <class Map>
__global__ void tripletKernel(Map map, int n, const float4* __restrict__ bodies, CellSum* sums) {
  __shared__ float4 tile[3][kCellSide];
  __shared__ float energies[kCellThreads / 32];
  __shared__ int triplets[kCellThreads / 32];
  const Cell cell = map(blockIdx.x, blockIdx.y, blockIdx.z);
  if (cell.layer < 0) return;
  const int rank = threadIdx.x + kCellSide * (threadIdx.y + kCellSide * threadIdx.z);
  if (rank < 3 * kCellSide) {
    const int part = rank / kCellSide;
    const int first = (part == 0 ? cell.layer : part == 1 ? cell.row : cell.column) * kCellSide;
    // A map beyond its range may give any cell; the bounds keep its reads within the array.
    tile[part][rank % kCellSide] = bodies[max(0, min(first + rank % kCellSide, n - 1))];
  }
  __syncthreads();  // the three tiles are there before any thread reads them
  const int i = cell.layer * kCellSide + threadIdx.z;
  const int j = cell.row * kCellSide + threadIdx.y;
  const int k = cell.column * kCellSide + threadIdx.x;
  const bool mine = i < n && j < i && k < j;
  const float energy =
      mine ? axilrodTeller(tile[0][threadIdx.z], tile[1][threadIdx.y], tile[2][threadIdx.x]) : 0.0f;
  const float ofWarp = warpSum(energy);
  const int found = __popc(__ballot_sync(0xffffffffu, mine));
  if (rank % 32 == 0) {
    energies[rank / 32] = ofWarp;
    triplets[rank / 32] = found;
  }
  __syncthreads();  // every warp's sum is there before thread 0 adds them
  if (rank != 0) return;
  CellSum sum = {0, 0};
  for (int warp = 0; warp < static_cast<int>(kCellThreads / 32); ++warp) {
    sum.energy += energies[warp];
    sum.triplets += triplets[warp];
  }
  const unsigned long long place =
      tetrahedralNumber(cell.layer) + cell.row * (cell.row + 1ull) / 2 + cell.column;
  if (place < tetrahedralNumber((n + kCellSide - 1) / kCellSide)) sums[place] = sum;
}

/// Calls \p use with the map \p name for m cells a side.
template <class Use>
void withCellMap(const std::string& name, int m, Use use) {
  if (name == "box") use(CellBox(m));
  else if (name == "tetrahedron-fp32") use(CellMap<PaperTetrahedron<float>>(m));
  else if (name == "tetrahedron-fp64") use(CellMap<PaperTetrahedron<double>>(m));
  else use(CellMap<ExactTetrahedron>(m));
}

int cellsASide(int n) { return static_cast<int>(blocksFor(n, kCellSide)); }

/// Largest error of a triplet, in units of roundoff of 1 / (r_ij r_ik r_jk)^3. The product's square
/// has 17, so its power 3/2 has 26; the reciprocal root's 2 give 6; times |1 + 3 cos cos cos|, at
/// most 2. The cosines add 3 times 20, the sum over a warp 5, times 2.
constexpr double kTolerance = 134 * 0x1p-24;

/// Compares each cell with FP64, and sets energy and error.
void check(const std::vector<CellSum>& sums,
           const std::vector<CellReference>& expected,
           TripletPoint& point) {
  for (std::size_t w = 0; w < sums.size(); ++w) {
    point.energy += sums[w].energy;
    if (sums[w].triplets != expected[w].triplets) {
      const Cell cell = tetrahedronExact(w);
      point.failure = "cell " + std::to_string(cell.layer) + ", " + std::to_string(cell.row) +
                      ", " + std::to_string(cell.column) + " has " +
                      std::to_string(sums[w].triplets) + " triplets, not " +
                      std::to_string(expected[w].triplets);
      return;
    }
    if (expected[w].triplets == 0) continue;
    const double error = std::abs(sums[w].energy - expected[w].energy) / expected[w].scale;
    if (!(error <= point.error)) point.error = error;
    if (error <= kTolerance) continue;
    point.failure = "the energy of cell number " + std::to_string(w) + " is " +
                    std::to_string(sums[w].energy) + ", FP64 gives " +
                    std::to_string(expected[w].energy);
    return;
  }
}

}  // namespace

std::vector<std::string> tripletMaps() {
  return {"box", "tetrahedron", "tetrahedron-fp32", "tetrahedron-fp64"};
}

void checkTripletMemory(int n) {
  const std::size_t needed =
      tetrahedralNumber(cellsASide(n)) * sizeof(CellSum) + n * sizeof(float4);
  requireMemory("--n", n, "device", needed, freeDeviceBytes());
}

std::vector<TripletPoint> studyTriplets(const Bodies& bodies,
                                        const std::vector<std::string>& maps,
                                        [[maybe_unused]] int repeats) {
  const int n = bodies.count();
  const int m = cellsASide(n);
  const std::vector<float4> rounded = converted<float4>(bodies.positions);
  const std::vector<CellReference> expected = referenceTriplets(rounded);
  DeviceArray<float4> positions(n, "bodies");
  DeviceArray<CellSum> sums(expected.size(), "sums of cells");
  positions.upload(rounded);
  const dim3 threads(kCellSide, kCellSide, kCellSide);

  std::vector<TripletPoint> points;
  for (const std::string& name : maps) {
    TripletPoint& point = points.emplace_back();
    point.map = name;
    point.n = n;
    point.exact = exactUpTo(name, m) >= m;
    withCellMap(name, m, [&](auto map) {
      auto run = [&] {
        tripletKernel<decltype(map)>
            <<<map.grid(), threads, 0, stream()>>>(map, n, positions.data(), sums.data());
        CUDA_CHECK(cudaGetLastError());
      };
      point.addThreads(map.grid(), kCellThreads);
      sums.poison();
      run();
      if (point.exact) check(sums.download(), expected, point);
#ifdef NBODY_GPU
      if (repeats == 0) return;
      point.time = timeOnDevice(run, repeats, true, kShortWarmUpMs);
      point.improvement = points[0].time->median / point.time->median;
#endif
    });
  }
  return points;
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
