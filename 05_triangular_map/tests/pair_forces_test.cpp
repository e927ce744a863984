// Promises of step 05 beyond the tests that every step shares: any map, either reduction.
#include "options.hpp"
#include "step_run.hpp"

using namespace nbody;

TEST_CASE("forces are right with every map and either reduction", "[sanitizer]") {
  for (int count : {1, 33, 257, 1000})
    for (const char* scene : {"plummer", "cube"}) {
      const Bodies bodies = sceneNamed(scene).make(count, 3);
      INFO(scene);
      for (const std::string map : {"lambda", "box", "rectangle", "recursive"})
        for (const std::string reduction : {"atomic", "ordered"})
          for (const std::string number : {"1", "8"})
            requireCorrect(
                bodies, "map " + map + " reduction " + reduction + " bodies-per-thread " + number);
    }
}

TEST_CASE("an ordered reduction repeats bit for bit, whatever memory it has") {
  const Bodies bodies = sceneNamed("plummer").make(5000, 3);
  const auto ordered = [&](const std::string& settings) {
    return accelerationsOf(bodies, "reduction ordered bodies-per-thread 4 " + settings);
  };
  const auto first = ordered("map lambda stored-mib 1024");
  const ForceError error = compareForces(bodies, first, kSoftening, kUnitRoundoff);
  INFO(error.failure);
  REQUIRE(error.passed);
  CHECK(sameBits(first, ordered("map lambda stored-mib 1024")));
  CHECK(sameBits(first, ordered("map lambda stored-mib 1")));  // 6 of 20 rows of tiles at a time
  CHECK(sameBits(first, ordered("map rectangle stored-mib 2")));
}

TEST_CASE("equal masses are found, and may be ignored") {
  const Bodies equal = sceneNamed("plummer").make(600, 3);
  const Bodies unequal = sceneNamed("cube").make(600, 3);
  const auto found = [](const char* asked, const Bodies& bodies) {
    requireCorrect(bodies, std::string("equal-masses ") + asked);
    const auto options = resolved(std::string("equal-masses ") + asked, bodies);
    return dynamic_cast<const triangular::Options&>(*options).equalMasses;
  };
  CHECK(found("used", equal) == triangular::EqualMasses::used);
  CHECK(found("ignored", equal) == triangular::EqualMasses::ignored);
  CHECK(found("used", unequal) == triangular::EqualMasses::ignored);
}
