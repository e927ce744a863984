#include "study/triplets.hpp"

#include <algorithm>
#include <cmath>

#include "base/host_memory.hpp"
#include "bodies/vectors.hpp"
#include "study/exactness.hpp"
#include "study/triplet_kernel.cuh"

namespace nbody {

namespace {

/// Calls \p use with the map of that name for m cells a side.
template <class Use>
void withCellMap(const std::string& name, int m, Use use) {
  if (name == "box") use(CellBox(m));
  else if (name == "tetrahedron-fp32") use(CellMap<PaperTetrahedron<float>>(m));
  else if (name == "tetrahedron-fp64") use(CellMap<PaperTetrahedron<double>>(m));
  else use(CellMap<ExactTetrahedron>(m));
}

int cellsASide(int n) { return static_cast<int>(blocksFor(n, kCellSide)); }

/// The error of a triplet, in units of roundoff of 1 / (r_ij r_ik r_jk)^3: 17 of the product's
/// square, so 26 of its power 3/2, and 6 of the reciprocal root's 2, times |1 + 3 cos cos cos|, at
/// most 2; 3 times 20 of the cosines; and 5 of the sum over a warp, times 2.
constexpr double kTolerance = 134 * 0x1p-24;

/// Compares each cell with FP64; fills in energy and error.
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

}  // namespace nbody
