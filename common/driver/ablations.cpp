#include "driver/ablations.hpp"

#include "driver/validation.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

constexpr int kMostBodies = 1000;  // the simplest setting of step 06 has them all in one leaf

Bodies someOf(const Bodies& bodies) {
  Bodies some;
  for (int i : sampleOf(bodies.count(), kMostBodies))
    some.add(bodies.positions[i], bodies.velocities[i]);
  return some;
}

}  // namespace

std::string failedAblation(const Program& program,
                           const StepOptions& options,
                           const Bodies& bodies,
                           double softening,
                           double unitRoundoff) {
  const Bodies some = someOf(bodies);
  std::string right;
  for (const Ablation& ablation : options.ablations()) {
    const StepOptions& tried = *ablation.options;
    auto simulation = program.simulation(some.count(), softening, tried);
    simulation->upload(some);
    simulation->poisonAccelerations();
    simulation->computeForces();
    simulation->synchronize();
    const ForceError error = checkForces(*simulation, softening, unitRoundoff, tried.errorBound());
    if (!error.passed) return right + "wrong " + ablation.setting + ": " + error.summary();
    right = "right " + ablation.setting + "; ";
  }
  return "";
}

}  // namespace nbody
