#include "study/map_study.hpp"

#include <algorithm>
#include <memory>

#include "base/bad_input.hpp"
#include "study/exactness.hpp"
#include "study/study_tests.cuh"

namespace nbody {

namespace {

std::unique_ptr<StudyTest> makeTest(const std::string& name, const StudyOptions& options, int n) {
  if (name == "dummy") return std::make_unique<DummyTest>(n, options.block, true);
  if (name == "index") return std::make_unique<DummyTest>(n, options.block, false);
  if (name == "edm") return std::make_unique<DistanceTest>(n, options.block, options.seed);
  if (name == "collision1d")
    return std::make_unique<CollisionTest<1>>(n, options.block, options.seed);
  return std::make_unique<CollisionTest<3>>(n, options.block, options.seed);
}

/// Whether the map is right for n, as found on this device.
bool isExact(const std::string& map, int n, int block) {
  if (map == "utm") return exactBodies(n) >= n;
  const int rows = static_cast<int>(blocksFor(n, block));
  if (map.rfind("lambda-", 0) == 0) return exactRows(map, rows) >= rows;
  return true;
}

void countThreads(StudyPoint& point, int block) {
  forEachLaunch(point.map, point.n, block, [&](auto tiles) {
    const dim3 grid = tiles.grid();
    ++point.launches;
    point.threads += static_cast<double>(grid.x) * grid.y * grid.z * block * block;
  });
}

#ifdef NBODY_GPU
void timePoint(StudyPoint& point, const StudyPoint& box, StudyTest& test, int repeats) {
  constexpr double kShortWarmUpMs = 10;  // the points before keep the clocks up
  point.time = timeOnDevice([&] { test.run(point.map); }, repeats, true, kShortWarmUpMs);
  const Timing& base = &point == &box ? *point.time : *box.time;
  point.improvement = base.median / point.time->median;
  point.penalty = box.threads / point.threads / point.improvement;
}
#endif

}  // namespace

const std::vector<std::string>& studyMaps() {
  static const std::vector<std::string> names = {"box",
                                                 "lambda",
                                                 "lambda-x",
                                                 "lambda-n",
                                                 "lambda-r",
                                                 "rectangle",
                                                 "recursive",
                                                 "recursive-levels",
                                                 "utm",
                                                 "utm-exact"};
  return names;
}

const std::vector<std::string>& studyTests() {
  static const std::vector<std::string> names = {
      "dummy", "index", "edm", "collision1d", "collision3d"};
  return names;
}

void checkStudyMemory(const StudyOptions& options) {
  const int n = *std::max_element(options.sizes.begin(), options.sizes.end());
  const bool matrix =
      std::find(options.tests.begin(), options.tests.end(), "edm") != options.tests.end();
  const bool marks = std::any_of(options.tests.begin(), options.tests.end(), [](const auto& test) {
    return test == "dummy" || test == "index";
  });
  // Two distance matrices, or the marks; points, spheres and collisions are below 256 bytes a body.
  const std::size_t needed = pairsOf(n) * 4 * (matrix ? 2 : marks ? 1 : 0) + 256ull * n;
  if (needed <= freeDeviceBytes()) return;
  throw BadInput("--n: " + std::to_string(n) + " bodies need " + std::to_string(needed) +
                 " bytes of device memory, " + std::to_string(freeDeviceBytes()) + " are free");
}

std::vector<StudyPoint> studySize(const StudyOptions& options, int n) {
  std::vector<StudyPoint> points;
  for (const std::string& name : options.tests) {
    const std::unique_ptr<StudyTest> test = makeTest(name, options, n);
    const std::size_t box = points.size();
    for (const std::string& map : options.maps) {
      StudyPoint& point = points.emplace_back();
      point.test = name;
      point.map = map;
      point.n = n;
      countThreads(point, options.block);
      point.exact = isExact(map, n, options.block);
      if (point.exact) point.failure = test->check(map, point.result);
#ifdef NBODY_GPU
      if (options.repeats > 0) timePoint(point, points[box], *test, options.repeats);
#endif
    }
    static_cast<void>(box);
  }
  return points;
}

}  // namespace nbody
