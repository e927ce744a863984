// Forces by a law other than Newton's, for exercises that ask for one: the shared tests and the
// program's own check compare with Newton's. A test's name begins with its law.
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "bodies/random.hpp"
#include "catch.hpp"
#include "cuda/multiprocessors.hpp"
#include "diagnose/force_laws.hpp"
#include "driver/simulation.hpp"
#include "physics/force_error.hpp"

using namespace nbody;

namespace {

constexpr double kSoftening = 0.01;
const ForceLaw kPlane = {.softeningSquared = kSoftening * kSoftening, .power = 2};

/// In a cube, new for each grading; masses differ by up to a factor of ten.
Bodies randomBodies(int count) {
  const char* seed = std::getenv("NBODY_TEST_SEED");
  Random random(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  Bodies bodies;
  for (int i = 0; i < count; ++i)
    bodies.add({random.uniform(-1, 1),
                random.uniform(-1, 1),
                random.uniform(-1, 1),
                random.uniform(0.1, 1) / count},
               {0, 0, 0, 0});
  return bodies;
}

void requireForces(const ForceLaw& law, int count) {
  const Bodies bodies = randomBodies(count);
  const auto options = makeStepOptions();
  options->resolve(workloadOf(bodies, multiprocessors()));
  auto simulation = makeStepSimulation(count, kSoftening, *options);
  simulation->upload(bodies);
  simulation->poisonAccelerations();
  simulation->computeForces();
  const std::vector<Double4> found = simulation->accelerations();

  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  // Of the bodies as the simulation has rounded them.
  const std::vector<Double4> expected = accelerationsBy(law, simulation->download(), all);
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
  char hint[120];
  std::snprintf(hint,
                sizeof hint,
                "hint: %d of %d bodies are wrong; body %d by %.2g of the forces on it",
                wrong,
                count,
                first,
                firstError);
  INFO(hint);
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
