// Tests of step 10 beyond those that every step shares: forces wherever the bodies are, and memory that grows.
#include "bodies/random.hpp"
#include "step_run.hpp"

using namespace nbody;

namespace {

constexpr int kCount = 1500;

Bodies sceneOf(const char* name, int count = kCount) { return sceneNamed(name).make(count, 3); }

Bodies scaled(Bodies bodies, double length) {
  for (Double4& p : bodies.positions) p = {length * p.x, length * p.y, length * p.z, p.w};
  return bodies;
}

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

TEST_CASE("any number of bodies, at one place or along a line") {
  for (int count : {1, 2, 3, 17, 65, 257}) requireCorrect(sceneOf("cube", count), "");
  Bodies bodies = sceneOf("cube", 500);
  for (Double4& p : bodies.positions) p = {p.x, 0, 0, p.w};
  requireCorrect(bodies, "");
  for (int i = 0; i < 200; ++i) bodies.positions[i] = bodies.positions[0];
  requireCorrect(bodies, "leaf 16");
  for (Double4& p : bodies.positions) p = {1, 2, 3, p.w};
  requireNoForces(bodies, "");
}

TEST_CASE("masses may differ by ten orders of magnitude, or be zero") {
  Random random(5);
  Bodies bodies = sceneOf("cube");
  for (Double4& p : bodies.positions) p.w = std::pow(10, random.uniform(-10, 0));
  requireCorrect(bodies, "");
  CHECK(p99Of(bodies, "tolerance 1e-4") < 10 * 1e-4);
  for (int i = 0; i < bodies.count(); i += 2) bodies.positions[i].w = 0;
  requireCorrect(bodies, "");
  for (Double4& p : bodies.positions) p.w = 0;
  bodies.positions[7].w = 1;
  requireCorrect(bodies, "");
}

TEST_CASE("lengths may have any unit, and bodies may be far away") {
  for (double length : {1e-3, 1e6, 1e10}) {
    INFO("lengths times " << length);
    requireCorrect(scaled(sceneOf("plummer"), length), "");
  }
  Bodies bodies = sceneOf("cube");
  for (int i = 0; i < 10; ++i) {
    bodies.positions[i].y = 1e4 * (i + 1);
    bodies.positions[20 + i] = bodies.positions[40 + i];
    bodies.positions[20 + i].x += 1e-7;
  }
  requireCorrect(bodies, "");
  for (Double4& p : bodies.positions) p = {p.x + 1000, p.y - 3000, p.z, p.w};
  requireCorrect(bodies, "");
}

TEST_CASE("bodies at one place, or one far away, cost little more") {
  const auto interactionsOf = [](const Bodies& bodies) {
    const auto simulation = simulationOf(bodies, "");
    simulation->computeForces();
    requireNumbers(bodies, simulation->accelerations());
    return simulation->computeForcesInPhases()->interactions;
  };
  const Bodies bodies = sceneOf("plummer", 4000);
  const double usual = interactionsOf(bodies);
  Bodies clumped = bodies, spread = bodies;
  for (int i = 0; i < 2000; ++i) clumped.positions[i] = bodies.positions[0];
  requireCorrect(clumped, "");
  CHECK(interactionsOf(clumped) < usual);
  Double4& out = spread.positions[0];
  out = {1000 * out.x, 1000 * out.y, 1000 * out.z, out.w};
  requireCorrect(spread, "");
  CHECK(interactionsOf(spread) < 1.1 * usual);
}

TEST_CASE("lists that need more memory than there is get it") {
  // 1,100 leaves, each near all others: 40,000 chunks of 32, where there are 34,600 at first.
  requireCorrect(sceneOf("cube", 1100), "theta 0.001 leaf 2");
}

TEST_CASE("the first forces are the same whether or not memory had to grow") {
  const auto simulation = simulationOf(sceneOf("plummer", 2000), "theta 0.4 tolerance 1e-8 leaf 8");
  simulation->computeForces();
  const auto grown = simulation->accelerations();
  simulation->forget();
  simulation->computeForces();
  CHECK(sameBits(grown, simulation->accelerations()));
}

TEST_CASE("forces repeat bit for bit") {
  const Bodies bodies = sceneOf("plummer");
  CHECK(sameBits(accelerationsOf(bodies, ""), accelerationsOf(bodies, "")));
}

TEST_CASE("momentum is nearly conserved") {
  const Bodies bodies = sceneOf("collision");
  const auto accelerations = accelerationsOf(bodies, "");
  double x = 0, y = 0, z = 0, lengths = 0;
  for (int i = 0; i < bodies.count(); ++i) {
    const double m = bodies.positions[i].w;
    const Double4& a = accelerations[i];
    x += m * a.x, y += m * a.y, z += m * a.z;
    lengths += m * std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  }
  CHECK(std::sqrt(x * x + y * y + z * z) < 1e-4 * lengths);
}
