#include "driver/validation.hpp"

#include <stdexcept>

#include "base/bad_input.hpp"
#include "base/host_memory.hpp"
#include "bodies/vectors.hpp"
#include "cuda/device_array.hpp"
#include "diagnose/symptoms.hpp"
#include "driver/run_program.hpp"
#include "physics/reference.hpp"

namespace nbody {

void checkMemory(const RunOptions& options, const Program& program) {
  // Initial and final bodies (64 bytes each), accelerations, and the copies on their way to the
  // device.
  constexpr std::size_t kHostBytesPerBody = 224;
  const std::size_t count = options.bodies;
  auto refuse = [&](const char* where, std::size_t needed, std::size_t free) {
    if (needed <= free) return;
    throw BadInput((options.input.empty() ? "--bodies" : options.input) + ": " +
                   std::to_string(count) + " bodies need " + std::to_string(needed) + " bytes of " +
                   where + " memory, " + std::to_string(free) + " are free");
  };
#ifdef NBODY_GPU
  refuse("host", count * kHostBytesPerBody, hostMemory().free);
  if (program.deviceBytesPerBody > 0)
    refuse("device", count * program.deviceBytesPerBody, freeDeviceBytes());
#else
  refuse("host", count * (kHostBytesPerBody + program.deviceBytesPerBody), hostMemory().free);
#endif
}

ForceError checkForces(Simulation& simulation,
                       double softening,
                       double unitRoundoff,
                       ErrorBound approximation) {
  const std::vector<Double4> accelerations = simulation.accelerations();
  // The bodies that the simulation holds: rounded to its precision, so that the error is of its
  // arithmetic alone.
  const Bodies bodies = simulation.download();
  ForceError error = compareForces(bodies, accelerations, softening, unitRoundoff, approximation);
  if (error.passed) return error;
  simulation.poisonAccelerations();
  simulation.computeForces();
  simulation.synchronize();
  error.hint = symptomOf(bodies,
                         accelerations,
                         simulation.accelerations(),
                         softening,
                         forceTolerance(bodies.count(), unitRoundoff) + approximation.max);
  return error;
}

std::string failedAblation(const Program& program,
                           const StepOptions& options,
                           const Bodies& bodies,
                           double softening,
                           double unitRoundoff) {
  constexpr int kMostBodies = 1000;  // the simplest setting of step 06 has them all in one leaf
  Bodies some;
  for (int i : sampleOf(bodies.count(), kMostBodies))
    some.add(bodies.positions[i], bodies.velocities[i]);
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

void checkFinite(const Bodies& bodies) {
  for (int i = 0; i < bodies.count(); ++i)
    if (!isFinite(bodies.positions[i]) || !isFinite(bodies.velocities[i]))
      throw std::runtime_error("body " + std::to_string(i) +
                               ": its position or velocity became NaN or infinite");
}

}  // namespace nbody
