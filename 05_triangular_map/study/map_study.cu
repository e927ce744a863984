#include "study/map_study.hpp"

#include <algorithm>
#include <memory>

#include "base/host_memory.hpp"
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
  // Two distance matrices, or the marks; points, spheres and collisions are below 256 bytes a body.
  const int arrays = has("edm") ? 2 : has("dummy") || has("index") ? 1 : 0;
  const std::size_t needed = pairsOf(n) * 4 * arrays + 256ull * n;
  requireMemory("--n", n, "device", needed, freeDeviceBytes());
}

std::vector<StudyPoint> studySize(const StudyOptions& options, int n) {
  std::vector<StudyPoint> points;
  for (const std::string& name : options.tests) {
    const std::unique_ptr<StudyTest> test = makeTest(name, options, n);
    [[maybe_unused]] const std::size_t first = points.size();  // the box's
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

}  // namespace nbody
