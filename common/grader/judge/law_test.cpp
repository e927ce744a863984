// Forces with another law than Newton's, which the shared tests and the program's own check compare
// with. A test's name begins with its law.
#include <cmath>
#include <cstdlib>

#include "base/text.hpp"
#include "bodies/scenes.hpp"
#include "catch.hpp"
#include "cuda/launch.hpp"
#include "diagnose/force_laws.hpp"
#include "driver/simulation.hpp"
#include "physics/force_error.hpp"
#include "physics/reference.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;
const ForceLaw kPlane = {.softeningSquared = kSoftening * kSoftening, .power = 2};

void requireForces(const ForceLaw& law, int count) {
  // Differs in each grading.
  const char* seed = std::getenv("NBODY_TEST_SEED");
  const Bodies bodies = makeCube(count, seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  const auto options = makeStepOptions();
  options->resolve(workloadOf(bodies, multiprocessors()));
  auto simulation = makeStepSimulation(count, kSoftening, *options);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  simulation->computeForces();
  const std::vector<Double4> found = simulation->accelerations();

  // The bodies as the simulation has rounded them.
  const std::vector<Double4> expected =
      accelerationsBy(law, simulation->download(), sampleOf(count, count));
  int wrong = 0, first = 0;
  double firstError = 0;
  for (int i = count - 1; i >= 0; --i) {
    const Double4 &a = found[i], &e = expected[i];
    const double error = std::hypot(a.x - e.x, a.y - e.y, a.z - e.z) / e.w;
    if (error <= forceTolerance(count, 0x1p-24)) continue;
    ++wrong;
    first = i;
    firstError = error;
  }
  INFO(formatted("hint: %d of %d bodies are wrong; body %d has a relative error of %.2g", wrong,
                 count, first, firstError));
  REQUIRE(wrong == 0);
}

}  // namespace

TEST_CASE("plane: many bodies") { requireForces(kPlane, 600); }

TEST_CASE("plane: ragged ends") {
  for (int count : {513, 257, 33}) requireForces(kPlane, count);
}

TEST_CASE("plane: few bodies") {
  for (int count : {2, 3}) requireForces(kPlane, count);
}
