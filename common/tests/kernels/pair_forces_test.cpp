// What step 05 promises beyond the tests that every step shares: any map, either reduction.
#include <cstring>

#include "bodies/scenes.hpp"
#include "catch.hpp"
#include "driver/simulation.hpp"
#include "driver/step.hpp"
#include "driver/validation.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;

std::vector<Double4> accelerationsOf(const Bodies& bodies,
                                     std::initializer_list<std::pair<const char*, int>> values) {
  Parameters parameters = stepParameters();
  for (auto [name, value] : values)
    for (Parameter& parameter : parameters)
      if (parameter.name == name) parameter.value = value;
  auto simulation = makeStepSimulation(bodies.count(), kSoftening, parameters);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  simulation->computeForces();
  return simulation->accelerations();
}

bool sameBits(const std::vector<Double4>& one, const std::vector<Double4>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof one[0]) == 0;
}

void requireCorrect(const Bodies& bodies, const std::vector<Double4>& accelerations) {
  const ForceError error = compareForces(bodies, accelerations, kSoftening, 0x1p-24);
  INFO(error.failure);
  REQUIRE(error.passed);
}

}  // namespace

TEST_CASE("forces are right with every map and either reduction", "[sanitizer]") {
  for (int count : {1, 33, 257, 1000})
    for (const char* scene : {"plummer", "cube"}) {
      const Bodies bodies = sceneNamed(scene).make(count, 3);
      for (int map : {1, 2, 3, 4})
        for (int reduction : {1, 2})
          for (int held : {1, 8}) {
            INFO(scene << " " << count << " map " << map << " reduction " << reduction << " held "
                       << held);
            requireCorrect(
                bodies,
                accelerationsOf(
                    bodies, {{"map", map}, {"reduction", reduction}, {"bodies-per-thread", held}}));
          }
    }
}

TEST_CASE("an ordered reduction repeats bit for bit, whatever memory it has") {
  const Bodies bodies = sceneNamed("plummer").make(5000, 3);
  const auto ordered = [&](int map, int mib) {
    return accelerationsOf(bodies,
                           {{"map", map},
                            {"reduction", 2},
                            {"bodies-per-thread", 4},
                            {"block", 64},
                            {"stored-mib", mib}});
  };
  const auto first = ordered(1, 1024);
  requireCorrect(bodies, first);
  CHECK(sameBits(first, ordered(1, 1024)));
  CHECK(sameBits(first, ordered(1, 1)));  // 6 of its 20 rows of tiles at a time
  CHECK(sameBits(first, ordered(3, 2)));
}

TEST_CASE("equal masses are found, and may be ignored") {
  const Bodies equal = sceneNamed("plummer").make(600, 3);
  const Bodies unequal = sceneNamed("cube").make(600, 3);
  const auto settled = [](const Bodies& bodies, int asked) {
    Parameters parameters = stepParameters();
    for (Parameter& parameter : parameters)
      if (parameter.name == "equal-masses") parameter.value = asked;
    return parameters.settledFor(bodies)["equal-masses"];
  };
  CHECK(settled(equal, 1) == 1);
  CHECK(settled(equal, 2) == 2);
  CHECK(settled(unequal, 1) == 2);
  requireCorrect(equal, accelerationsOf(equal, {{"equal-masses", 1}}));
  requireCorrect(equal, accelerationsOf(equal, {{"equal-masses", 2}}));
  requireCorrect(unequal, accelerationsOf(unequal, {{"equal-masses", 1}}));
}
