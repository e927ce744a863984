// The study of step 05's maps: results, and checks that can fail.
#include "05_triangular_map/study/map_study.hpp"
#include "05_triangular_map/study/study_kernels.cuh"
#include "05_triangular_map/study/study_reference.hpp"
#include "launch.hpp"
#include "orders.hpp"

using namespace nbody;
using namespace nbody::triangular;

namespace {

/// lambda except for one tile: the last of row 2 goes to the start of row 3.
struct WrongMap {
  explicit WrongMap(int m) : right(m) {}
  LambdaMap right;
  dim3 grid() const { return right.grid(); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    const Tile tile = right(x, y);
    return tile.row == 2 && tile.column == 2 ? Tile{3, 0} : tile;
  }
};

template <class Map>
unsigned long long wrongMarks(int n, int block) {
  const Map map((n + block - 1) / block);
  DeviceArray<unsigned> marks(n * (n - 1) / 2, "marks");
  DeviceArray<unsigned long long> wrong(1, "wrong");
  marks.clear();
  wrong.clear();
  launch({map.grid(), dim3(block, block)}, markKernel<Map>, map, n, marks.data());
  launch({2, 64}, countMarksKernel, marks.data(), marks.size(), wrong.data());
  return wrong.download()[0];
}

/// All, but where races are looked for the paper's dummy: all its pairs write one element.
std::vector<std::string> testsToRun() {
  std::vector<std::string> tests = studyTests();
#ifdef NBODY_CHECK_RACE
  std::erase(tests, "dummy");
#endif
  return tests;
}

}  // namespace

TEST_CASE("every test of the study agrees by every map", "[sanitizer]") {
  inEveryOrder([] {
    const std::vector<std::string> tests = testsToRun();
    for (int n : {2, 9, 100, 129}) {
      const StudyOptions options = {{n}, studyMaps(), tests, 8, 0, 3};
      const std::vector<StudyPoint> points = studySize(options, n);
      REQUIRE(points.size() == studyMaps().size() * tests.size());
      for (const StudyPoint& point : points) {
        INFO(point.test << " of " << n << " by " << point.map << ": " << point.failure);
        REQUIRE(point.exact);
        REQUIRE(point.failure.empty());
      }
    }
  });
}

TEST_CASE("a map beyond its range is marked inexact and not compared") {
  const StudyOptions options = {{4098}, {"box", "utm", "utm-exact"}, {"edm"}, 32, 0, 3};
  const std::vector<StudyPoint> points = studySize(options, 4098);
  CHECK_FALSE(points[1].exact);
  CHECK(points[1].result.empty());
  CHECK(points[2].exact);
  for (const StudyPoint& point : points) CHECK(point.failure.empty());
}

TEST_CASE("the marks of a wrong map are counted") {
  CHECK(wrongMarks<LambdaMap>(40, 8) == 0);
  // Tile (2, 2) has 28 pairs that no thread visits; tile (3, 0) has 64 that two visit.
  CHECK(wrongMarks<WrongMap>(40, 8) == 28 + 64);
}

TEST_CASE("a wrong distance, a NaN and wrong collisions are noticed") {
  const std::vector<float4> points = randomPoints(3, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(worstDistanceError(points, 2, {nan, nan}) <= kDistanceTolerance);
  CHECK_FALSE(worstDistanceError(points, 2, {0, 0}) <= kDistanceTolerance);

  const Collisions expected = {{1, 5, 9}, {6}};
  CHECK(compareCollisions(expected, {1, 5, 9}).empty());
  CHECK(compareCollisions(expected, {1, 5, 6, 9}).empty());
  CHECK(contains(compareCollisions(expected, {1, 9}), "not found"));
  CHECK(contains(compareCollisions(expected, {1, 5, 5, 9}), "twice"));
  CHECK(contains(compareCollisions(expected, {1, 5, 7, 9}), "no collision"));
}

TEST_CASE("distances that differ in one bit, or are NaN, are counted") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  DeviceArray<float> expected(4, "expected");
  DeviceArray<float> found(4, "found");
  DeviceArray<unsigned long long> wrong(1, "wrong");
  expected.upload({1, 2, 3, nan});
  found.upload({1, 2.0000002f, 3, nan});
  wrong.clear();
  launch({1, 32}, compareKernel, expected.data(), found.data(), 4, wrong.data());
  CHECK(wrong.download()[0] == 2);
}

TEST_CASE("collisions in FP64 are those of all pairs") {
  for (int dimensions : {1, 3}) {
    const int width = dimensions + 1;
    const std::vector<float> spheres = randomSpheres(200, dimensions, 7);
    std::size_t count = 0;
    for (int i = 0; i < 200; ++i)
      for (int j = 0; j < i; ++j) {
        double squared = 0;
        for (int d = 0; d < dimensions; ++d)
          squared +=
              std::pow(static_cast<double>(spheres[i * width + d]) - spheres[j * width + d], 2);
        const double reach =
            static_cast<double>(spheres[i * width + dimensions]) + spheres[j * width + dimensions];
        count += squared <= reach * reach;
      }
    const Collisions collisions = collisionsInDoublePrecision(spheres, dimensions);
    REQUIRE(collisions.doubtful.empty());
    REQUIRE(collisions.certain.size() == count);
    REQUIRE(count > 200);  // about 2 n are aimed at
  }
}
