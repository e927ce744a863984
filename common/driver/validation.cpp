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

namespace {

Bodies some(const Bodies& bodies, int most) {
  Bodies found;
  for (int i : sampleOf(bodies.count(), most)) found.add(bodies.positions[i], bodies.velocities[i]);
  return found;
}

/// What is not written stays NaN.
void computeAnew(Simulation& simulation) {
  simulation.poisonAccelerations();
  simulation.computeForces();
  simulation.synchronize();
}

ForceError comparedForces(Simulation& simulation,
                          const std::vector<Double4>& accelerations,
                          const Bodies& bodies,
                          double softening,
                          double unitRoundoff,
                          ErrorBound approximation) {
  ForceError error = compareForces(bodies, accelerations, softening, unitRoundoff, approximation);
  if (error.passed) return error;
  computeAnew(simulation);
  error.hint = symptomOf(bodies,
                         accelerations,
                         simulation.accelerations(),
                         softening,
                         forceTolerance(bodies.count(), unitRoundoff) + approximation.max);
  return error;
}

}  // namespace

void checkMemory(const RunOptions& options, const Program& program) {
  // Initial and final bodies (64 bytes each), accelerations, and the copies on their way to the
  // device.
  constexpr std::size_t kHostBytesPerBody = 224;
  const std::size_t count = options.bodies;
  auto require = [&](const char* where, std::size_t needed, std::size_t free) {
    const std::string option = options.input.empty() ? "--bodies" : options.input;
    requireMemory(option, count, where, needed, free);
  };
#ifdef NBODY_GPU
  require("host", count * kHostBytesPerBody, hostMemory().free);
  if (program.deviceBytesPerBody > 0)
    require("device", count * program.deviceBytesPerBody, freeDeviceBytes());
#else
  require("host", count * (kHostBytesPerBody + program.deviceBytesPerBody), hostMemory().free);
#endif
}

ForceError checkForces(Simulation& simulation,
                       const Bodies& bodies,
                       double softening,
                       double unitRoundoff,
                       ErrorBound approximation) {
  return comparedForces(
      simulation, simulation.accelerations(), bodies, softening, unitRoundoff, approximation);
}

ForceError checkForces(Simulation& simulation,
                       double softening,
                       double unitRoundoff,
                       ErrorBound approximation) {
  const std::vector<Double4> accelerations = simulation.accelerations();
  return comparedForces(
      simulation, accelerations, simulation.download(), softening, unitRoundoff, approximation);
}

std::string failedAblation(const Program& program,
                           const StepOptions& options,
                           const Bodies& bodies,
                           double softening,
                           double unitRoundoff) {
  std::string right;
  for (const Ablation& ablation : options.ablations()) {
    const StepOptions& tried = *ablation.options;
    const Bodies few = some(bodies, ablation.bodies);
    auto simulation = program.simulation(few.count(), softening, tried);
    simulation->upload(few);
    computeAnew(*simulation);
    const ForceError error = checkForces(*simulation, softening, unitRoundoff, tried.errorBound());
    if (!error.passed) return right + "wrong " + ablation.setting + ": " + error.summary();
    right = "right " + ablation.setting + "; ";
  }
  return "";
}

ForceError secondForces(const Program& program,
                        const StepOptions& options,
                        const Bodies& bodies,
                        double softening,
                        double unitRoundoff) {
  const Bodies few = some(bodies, 1000);
  const auto simulation = program.simulation(few.count(), softening, options);
  simulation->upload(few);
  computeAnew(*simulation);
  computeAnew(*simulation);
  ForceError error = checkForces(*simulation, softening, unitRoundoff, options.errorBound());
  if (!error.passed)
    error.hint =
        "right the first time, wrong the second, in memory that is kept: " + error.summary();
  return error;
}

std::string notFinite(const Bodies& bodies, std::int64_t first) {
  for (int i = 0; i < bodies.count(); ++i)
    if (!isFinite(bodies.positions[i]) || !isFinite(bodies.velocities[i]))
      return "body " + std::to_string(first + i) +
             ": its position or velocity became NaN or infinite";
  return "";
}

void checkFinite(const Bodies& bodies) {
  const std::string found = notFinite(bodies);
  if (!found.empty()) throw std::runtime_error(found);
}

}  // namespace nbody
