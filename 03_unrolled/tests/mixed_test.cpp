// Step 03's study of precision: what positions and sums in more than FP32 are worth, in errors.
#include <map>

#include "03_unrolled/study/mixed.hpp"
#include "bodies/scenes.hpp"
#include "catch.hpp"

using namespace nbody;
using namespace nbody::unrolled;

TEST_CASE("compensated sums and positions in pairs remove different errors") {
  const Scene& scene = sceneNamed("merger");  // two spheres far from the origin
  std::map<std::string, ForceError> errors;
  for (const MixedRun& run : studyMixed(scene.make(2048, 3), scene.softening, 1)) {
    INFO(run.positions << ", " << run.sums << ": " << run.error.failure);
    REQUIRE(run.error.passed);
    errors[run.positions + " " + run.sums] = run.error;
#ifndef NBODY_GPU
    CHECK_FALSE(run.time);  // an executor's time is no performance
#endif
  }
  REQUIRE(errors.size() == 7);
  // Half of the bodies err by what the sum rounds away, the worst by where the nearest bodies are.
  CHECK(errors["fp32 compensated"].median < errors["fp32 plain"].median / 2);
  CHECK(errors["pairs compensated"].max < errors["fp32 compensated"].max / 4);
  CHECK(errors["fixed compensated"].max < errors["fp32 compensated"].max / 2);
  CHECK(errors["pairs compensated"].median < 1e-7);
  CHECK(errors["fp64 plain"].max < 1e-12);
}

TEST_CASE("numbers of bodies that fill no block, one among them") {
  const Scene& scene = sceneNamed("plummer");
  for (int count : {1, 2, 255, 513})
    for (const MixedRun& run : studyMixed(scene.make(count, 1), scene.softening, 1)) {
      INFO(count << ", " << run.positions << ", " << run.sums << ": " << run.error.failure);
      CHECK(run.error.passed);
    }
}
