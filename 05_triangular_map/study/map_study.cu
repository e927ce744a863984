#include "05_triangular_map/study/map_study.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "05_triangular_map/study/exactness.hpp"
#include "05_triangular_map/study/study_kernels.cuh"
#include "05_triangular_map/study/study_reference.hpp"
#include "base/host_memory.hpp"
#include "base/text.hpp"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

unsigned long long pairsOf(int n) { return n * (n - 1ull) / 2; }

/// One test for one n: its input on the device, its launch with any map, and its check.
class StudyTest {
 public:
  StudyTest(int n, int block) : n_(n), block_(block) {}
  virtual ~StudyTest() = default;

  /// Starts the test's kernel with the map \p map.
  virtual void run(const std::string& map) = 0;

  /// Runs the test once on cleared or poisoned outputs. Returns what is wrong, or nothing.
  /// \param result  out: what to print
  virtual std::string check(const std::string& map, std::string& result) = 0;

 protected:
  dim3 threads() const { return dim3(block_, block_); }

  /// Calls \p start with the tiles of each launch of the map \p map, and checks the launch.
  template <class Start>
  void launchEach(const std::string& map, Start start) {
    forEachLaunch(map, n_, block_, [&](auto tiles) {
      start(tiles);
      CUDA_CHECK(cudaGetLastError());
    });
  }

  int n_;
  int block_;
};

/// Returns how many pairs \p kernel counts as wrong, and \p what they are; empty if none. A few
/// blocks per multiprocessor stride over the \p arguments.
template <class Kernel, class... Arguments>
std::string wrongPairs(const std::string& what, Kernel kernel, Arguments... arguments) {
  DeviceArray<unsigned long long> wrong(1, "wrong pairs");
  wrong.clear();
  kernel<<<dim3(8 * multiprocessors()), dim3(256), 0, stream()>>>(arguments..., wrong.data());
  CUDA_CHECK(cudaGetLastError());
  const unsigned long long count = wrong.download()[0];
  return count == 0 ? "" : std::to_string(count) + " pairs " + what;
}

/// The paper's dummy, and the map alone. Their outputs do not depend on the map, so a separate
/// kernel marks each pair for the check.
class DummyTest : public StudyTest {
 public:
  DummyTest(int n, int block, bool writes)
      : StudyTest(n, block), writes_(writes), out_(1, "dummy's output") {}

  void run(const std::string& map) override {
    launchEach(map, [&](auto tiles) {
      if (writes_) dummyKernel<<<tiles.grid(), threads(), 0, stream()>>>(tiles, n_, out_.data());
      else indexKernel<<<tiles.grid(), threads(), 0, stream()>>>(tiles, n_, -1, out_.data());
    });
  }

  std::string check(const std::string& map, std::string& result) override {
    result = "each pair once";
    out_.upload({-2});
    run(map);
    const int last = out_.download()[0];
    if (writes_ ? last < 1 || last > 2 * n_ - 3 : last != -2)
      return "the dummy wrote " + std::to_string(last);
    DeviceArray<unsigned> marks(pairsOf(n_), "marks of pairs");
    marks.clear();
    launchEach(map, [&](auto tiles) {
      markKernel<<<tiles.grid(), threads(), 0, stream()>>>(tiles, n_, marks.data());
    });
    return wrongPairs("were not visited once", countMarksKernel, marks.data(), marks.size());
  }

 private:
  bool writes_;
  DeviceArray<int> out_;
};

/// Euclidean distance matrix of four features. The box's matrix is compared with FP64, the others
/// with the box's.
class DistanceTest : public StudyTest {
 public:
  DistanceTest(int n, int block, std::uint64_t seed)
      : StudyTest(n, block),
        host_(randomPoints(n, seed)),
        points_(n, "points"),
        distances_(pairsOf(n), "distances"),
        expected_(pairsOf(n), "distances by the box") {
    points_.upload(host_);
  }

  void run(const std::string& map) override { runInto(map, distances_); }

  std::string check(const std::string& map, std::string& result) override {
    DeviceArray<float>& out = map == "box" ? expected_ : distances_;
    out.poison();
    runInto(map, out);
    const std::string what = map == "box" ? "are NaN" : "are not the box's";
    const std::string failure =
        wrongPairs(what, compareKernel, expected_.data(), out.data(), out.size());
    result = "as the box's, bit for bit";
    if (map != "box") return failure;
    const double worst = worstError();
    result = formatted("error against FP64 %.1e", worst);
    return worst <= kDistanceTolerance ? failure : result;
  }

 private:
  void runInto(const std::string& map, DeviceArray<float>& out) {
    launchEach(map, [&](auto tiles) {
      distanceKernel<<<tiles.grid(), threads(), 0, stream()>>>(
          tiles, n_, points_.data(), out.data());
    });
  }

  /// Returns the worst error in all rows, or in about 4,096 of them if there are more.
  double worstError() const {
    const int rows = std::min(n_ - 1, 4096);
    double worst = 0;
    for (int k = 1; k <= rows; ++k) {
      const int row = static_cast<int>(static_cast<long long>(n_ - 1) * k / rows);
      std::vector<float> distances(row);
      const float* start = expected_.data() + pairIndex({row, 0});
      copyToHost(distances.data(), start, row * sizeof(float));
      worst = std::max(worst, worstDistanceError(host_, row, distances));
    }
    return worst;
  }

  std::vector<float4> host_;
  DeviceArray<float4> points_;
  DeviceArray<float> distances_;
  DeviceArray<float> expected_;
};

/// Collisions in kDimensions dimensions, compared as sets with FP64 and with the box's.
template <int kDimensions>
class CollisionTest : public StudyTest {
 public:
  CollisionTest(int n, int block, std::uint64_t seed)
      : StudyTest(n, block),
        spheres_(n, "spheres"),
        count_(1, "number of collisions"),
        list_(std::bit_ceil(std::max(256u, 8u * n)), "collisions") {  // about 2 n are expected
    const std::vector<float> drawn = randomSpheres(n, kDimensions, seed);
    copyToDevice(spheres_.data(), drawn.data(), drawn.size() * sizeof(float));
    count_.clear();
    expected_ = collisionsInDoublePrecision(drawn, kDimensions);
  }

  void run(const std::string& map) override {
    const auto capacity = static_cast<unsigned>(list_.size());
    launchEach(map, [&](auto tiles) {
      const std::size_t shared =
          kTiles<decltype(tiles)> ? 2 * block_ * sizeof(Sphere<kDimensions>) : 0;
      collisionKernel<<<tiles.grid(), threads(), shared, stream()>>>(
          tiles, n_, spheres_.data(), count_.data(), list_.data(), capacity);
    });
  }

  std::string check(const std::string& map, std::string& result) override {
    count_.clear();
    list_.poison();
    run(map);
    const unsigned count = count_.download()[0];
    result = std::to_string(count) + " collisions";
    if (count > list_.size()) return result + " do not fit " + std::to_string(list_.size());
    std::vector<Tile> tiles = list_.download();
    tiles.resize(count);
    std::vector<Collision> found;
    for (const Tile& pair : tiles) found.push_back(collisionOf(pair.row, pair.column));
    std::sort(found.begin(), found.end());
    const std::string failure = compareCollisions(expected_, found);
    if (map == "box") byBox_ = found;
    else if (failure.empty() && found != byBox_) return "the collisions are not the box's";
    return failure;
  }

 private:
  Collisions expected_;
  std::vector<Collision> byBox_;
  DeviceArray<Sphere<kDimensions>> spheres_;
  DeviceArray<unsigned> count_;
  DeviceArray<Tile> list_;
};

std::unique_ptr<StudyTest> makeTest(const std::string& name, const StudyOptions& options, int n) {
  if (name == "dummy") return std::make_unique<DummyTest>(n, options.block, true);
  if (name == "index") return std::make_unique<DummyTest>(n, options.block, false);
  if (name == "edm") return std::make_unique<DistanceTest>(n, options.block, options.seed);
  if (name == "collision1d")
    return std::make_unique<CollisionTest<1>>(n, options.block, options.seed);
  return std::make_unique<CollisionTest<3>>(n, options.block, options.seed);
}

/// Returns whether the map is correct for n, as found on this device.
bool isExact(const std::string& map, int n, int block) {
  const int size = map == "utm" ? n : static_cast<int>(blocksFor(n, block));
  return exactUpTo(map, size) >= size;
}

}  // namespace

std::vector<std::string> studyMaps() {
  return {"box",
          "lambda",
          "lambda-x",
          "lambda-n",
          "lambda-r",
          "rectangle",
          "recursive",
          "recursive-levels",
          "utm",
          "utm-exact"};
}

std::vector<std::string> studyTests() {
  return {"dummy", "index", "edm", "collision1d", "collision3d"};
}

void checkStudyMemory(const StudyOptions& options) {
  const int n = *std::max_element(options.sizes.begin(), options.sizes.end());
  const std::vector<std::string>& tests = options.tests;
  const auto has = [&](const char* test) {
    return std::count(tests.begin(), tests.end(), test) > 0;
  };
  // Two distance matrices, or the marks. The rest is below 256 bytes a body.
  const int arrays = has("edm") ? 2 : has("dummy") || has("index") ? 1 : 0;
  const std::size_t needed = pairsOf(n) * 4 * arrays + 256ull * n;
  requireMemory("--n", n, "device", needed, freeDeviceBytes());
}

std::vector<StudyPoint> studySize(const StudyOptions& options, int n) {
  std::vector<StudyPoint> points;
  for (const std::string& name : options.tests) {
    const std::unique_ptr<StudyTest> test = makeTest(name, options, n);
    [[maybe_unused]] const std::size_t first = points.size();  // the box's point
    for (const std::string& map : options.maps) {
      StudyPoint& point = points.emplace_back();
      point.test = name;
      point.map = map;
      point.n = n;
      forEachLaunch(map, n, options.block, [&](auto tiles) {
        ++point.launches;
        point.addThreads(tiles.grid(), options.block * options.block);
      });
      point.exact = isExact(map, n, options.block);
      if (point.exact) point.failure = test->check(map, point.result);
#ifdef NBODY_GPU
      if (options.repeats == 0) continue;
      const StudyPoint& box = points[first];
      point.time = timeOnDevice([&] { test->run(map); }, options.repeats, true, kShortWarmUpMs);
      point.improvement = box.time->median / point.time->median;
      point.penalty = box.threads / point.threads / point.improvement;
#endif
    }
  }
  return points;
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
