// Tests of 10_tuned: errors by tolerance, levels of targets, costs, and memory that grows.
#include "bodies/random.hpp"
#include "multipole_scenes.hpp"

using namespace nbody;

namespace {

/// The 99th percentile after two evaluations: the second one knows what the bodies feel.
double p99Of(const Bodies& bodies, const std::string& settings) {
  const auto simulation = simulationOf(bodies, settings);
  simulation->computeForces();
  simulation->computeForces();
  return checkForces(*simulation, kSoftening, kUnitRoundoff, {1, 1}).p99;
}

}  // namespace

TEST_CASE("forces are right in every scene and order", "[sanitizer]") {
  for (const char* scene : {"plummer", "cube", "collision"}) requireCorrect(sceneOf(scene), "");
  for (const char* order : {"2", "3", "4", "6"}) {
    const std::string tolerance = order == std::string("2") ? " tolerance 0.002" : "";
    requireCorrect(sceneOf("plummer", 700), std::string("order ") + order + tolerance);
  }
}

TEST_CASE("large targets hand their expansions down, at several levels") {
  for (const char* more : {"", " bundle 2"})
    requireCorrect(sceneOf("plummer", 4200), std::string("leaf 2 order 3 tolerance 0.001") + more);
}

TEST_CASE("errors follow the tolerance, from the first evaluation on") {
  const Bodies bodies = sceneOf("plummer");
  for (double tolerance : {1e-3, 1e-4, 1e-5}) {
    const std::string settings = "tolerance " + std::to_string(tolerance);
    const double first = errorOf(bodies, settings).p99, second = p99Of(bodies, settings);
    INFO(settings << ": 99th percentile " << first << ", then " << second);
    CHECK(second < 10 * tolerance);
    CHECK(second > 0.5 * tolerance);
    CHECK(first < 3 * second);
  }
}

TEST_CASE("bodies at one place, or one far away, cost little more") {
  const auto interactionsOf = [](const Bodies& bodies) {
    const auto simulation = simulationOf(bodies, "");
    simulation->computeForces();
    requireNumbers(bodies, simulation->accelerations());
    return simulation->computeForcesInPhases()->interactions;
  };
  const Bodies bodies = sceneOf("plummer", 2000);
  const double usual = interactionsOf(bodies);
  Bodies clumped = bodies, spread = bodies;
  for (int i = 0; i < 1000; ++i) clumped.positions[i] = bodies.positions[0];
  requireCorrect(clumped, "");
  CHECK(interactionsOf(clumped) < usual);
  Double4& out = spread.positions[0];
  out = {1000 * out.x, 1000 * out.y, 1000 * out.z, out.w};
  requireCorrect(spread, "");
  CHECK(interactionsOf(spread) < 1.1 * usual);
}

TEST_CASE("a body far outside of the others in its target has no large error") {
  requireCorrect(sceneOf("collision", 80), "");
}

TEST_CASE("the first forces are the same whether or not memory had to grow") {
  const auto simulation = simulationOf(sceneOf("plummer", 2000), "theta 0.4 tolerance 1e-8 leaf 8");
  simulation->computeForces();
  const auto grown = simulation->accelerations();
  dynamic_cast<DeviceSimulation&>(*simulation).forget();
  simulation->computeForces();
  CHECK(sameBits(grown, simulation->accelerations()));
}

TEST_CASE("errors follow the tolerance with masses that differ by ten orders of magnitude") {
  Random random(5);
  Bodies bodies = sceneOf("cube");
  for (Double4& p : bodies.positions) p.w = std::pow(10, random.uniform(-10, 0));
  CHECK(p99Of(bodies, "tolerance 1e-4") < 10 * 1e-4);
}
