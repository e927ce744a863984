// standalone.cu, which has nothing of common/ in it, computes the forces of step 01.
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "base/text.hpp"
#include "catch.hpp"
#include "cuda/multiprocessors.hpp"
#include "diagnose/force_laws.hpp"
#include "driver/simulation.hpp"
#include "physics/force_error.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;

/// As the program draws them.
Bodies drawnBodies(int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return (random() >> 8) * 0x1p-24; };
  Bodies bodies;
  for (int i = 0; i < count; ++i) bodies.add({uniform(), uniform(), uniform(), uniform()});
  return bodies;
}

/// The accelerations that the program prints.
std::vector<Double4> printed(int count, unsigned seed) {
  const std::string command = formatted("'%s' %d %u print", NBODY_STANDALONE, count, seed);
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  REQUIRE(output);
  std::vector<Double4> found;
  char line[256];
  while (std::fgets(line, sizeof line, output.get())) {
    Double4 a = {};
    if (std::sscanf(line, "a = %lf %lf %lf", &a.x, &a.y, &a.z) == 3) found.push_back(a);
  }
  return found;
}

std::vector<Double4> ofStep(const Bodies& bodies) {
  const auto options = makeStepOptions();
  options->resolve(workloadOf(bodies, multiprocessors()));
  auto simulation = makeStepSimulation(bodies.count(), kSoftening, *options);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  simulation->computeForces();
  return simulation->accelerations();
}

}  // namespace

TEST_CASE("standalone.cu has the forces of this step") {
  for (int count : {1, 2, 257, 1000}) {
    const Bodies bodies = drawnBodies(count, count);
    const std::vector<Double4> step = ofStep(bodies), alone = printed(count, count);
    REQUIRE(alone.size() == step.size());
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    const ForceLaw newton = {.softeningSquared = kSoftening * kSoftening};
    const std::vector<Double4> exact = accelerationsBy(newton, bodies, all);
    for (int i = 0; i < count; ++i) {
      const Double4 &a = alone[i], &b = step[i];
      // Each within rounding of the exact sum; exact.w is the sum of its terms' lengths.
      const double bound = 2 * forceTolerance(count, 0x1p-24) * exact[i].w;
      INFO("body " << i << " of " << count);
      REQUIRE(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) <= bound);
    }
  }
}
