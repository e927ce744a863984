// What step 05 promises beyond the tests that every step shares: any map, either reduction.
#include <cstring>

#include "bodies/scenes.hpp"
#include "catch.hpp"
#include "cuda/multiprocessors.hpp"
#include "driver/simulation.hpp"
#include "driver/step.hpp"
#include "driver/validation.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;
constexpr BlockMap kMaps[] = {BlockMap::lambda,
                              BlockMap::box,
                              BlockMap::rectangle,
                              BlockMap::recursive};

Options resolved(Options options, const Bodies& bodies) {
  options.resolve(workloadOf(bodies, multiprocessors()));
  return options;
}

std::vector<Double4> accelerationsOf(const Bodies& bodies, const Options& options) {
  auto simulation = makeStepSimulation(bodies.count(), kSoftening, resolved(options, bodies));
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
      for (BlockMap map : kMaps)
        for (Reduction reduction : {Reduction::atomic, Reduction::ordered})
          for (int bodiesPerThread : {1, 8}) {
            INFO(scene << " " << count << " map " << static_cast<int>(map) << " reduction "
                       << static_cast<int>(reduction) << " bodies " << bodiesPerThread);
            Options options;
            options.map = map;
            options.reduction = reduction;
            options.bodiesPerThread = bodiesPerThread;
            requireCorrect(bodies, accelerationsOf(bodies, options));
          }
    }
}

TEST_CASE("an ordered reduction repeats bit for bit, whatever memory it has") {
  const Bodies bodies = sceneNamed("plummer").make(5000, 3);
  const auto ordered = [&](BlockMap map, int mib) {
    Options options;
    options.map = map;
    options.reduction = Reduction::ordered;
    options.bodiesPerThread = 4;
    options.storedMib = mib;
    return accelerationsOf(bodies, options);
  };
  const auto first = ordered(BlockMap::lambda, 1024);
  requireCorrect(bodies, first);
  CHECK(sameBits(first, ordered(BlockMap::lambda, 1024)));
  CHECK(sameBits(first, ordered(BlockMap::lambda, 1)));  // 6 of its 20 rows of tiles at a time
  CHECK(sameBits(first, ordered(BlockMap::rectangle, 2)));
}

TEST_CASE("equal masses are found, and may be ignored") {
  const Bodies equal = sceneNamed("plummer").make(600, 3);
  const Bodies unequal = sceneNamed("cube").make(600, 3);
  const auto with = [](EqualMasses asked) {
    Options options;
    options.equalMasses = asked;
    return options;
  };
  const Options used = with(EqualMasses::used);
  const Options ignored = with(EqualMasses::ignored);
  CHECK(resolved(used, equal).equalMasses == EqualMasses::used);
  CHECK(resolved(ignored, equal).equalMasses == EqualMasses::ignored);
  CHECK(resolved(used, unequal).equalMasses == EqualMasses::ignored);
  requireCorrect(equal, accelerationsOf(equal, used));
  requireCorrect(equal, accelerationsOf(equal, ignored));
  requireCorrect(unequal, accelerationsOf(unequal, used));
}
