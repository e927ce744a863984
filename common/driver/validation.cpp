#include "driver/validation.hpp"

#include <stdexcept>

#include "base/bad_input.hpp"
#include "base/host_memory.hpp"
#include "base/parallel.hpp"
#include "bodies/vectors.hpp"
#include "cuda/device_array.hpp"
#include "diagnose/symptoms.hpp"
#include "driver/run_program.hpp"
#include "physics/device_sums.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

Bodies some(const Bodies& bodies, int most) {
  Bodies found;
  for (int i : sampleOf(bodies.count(), most)) found.add(bodies.positions[i], bodies.velocities[i]);
  return found;
}

/// Computes the forces again. Accelerations that are not written stay NaN.
void computeAnew(Simulation& simulation) {
  simulation.poisonAccelerations();
  simulation.computeForces();
  simulation.synchronize();
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

ForceError checkForces(Simulation& simulation, const Bodies& bodies, double softening,
                       double unitRoundoff, ErrorBound approximation, int evaluations) {
  const bool hasBodies = bodies.count() > 0;
  const double pairs = 1.0 * bodies.count() * bodies.count();
  const std::vector<int> sample = checkedBodies(bodies.count(), useDeviceSums(bodies, pairs));
  const std::vector<Double4> reference = referenceAccelerations(bodies, softening, sample);
  const double rounding = forceTolerance(bodies.count(), unitRoundoff);
  const PlainError plainError = plainErrors(bodies, softening, sample, reference, unitRoundoff);
  for (int evaluation = 1;; ++evaluation) {
    const std::vector<Double4> accelerations = simulation.accelerations();
    ForceError error;
    if (hasBodies)
      error = compareForces(accelerations, sample, reference, rounding, approximation, plainError);
    error.evaluation = evaluation;
    simulation.processes().broadcast(error.passed);  // all go on alike
    if (error.passed && evaluation == evaluations) return error;
    computeAnew(simulation);
    if (error.passed) continue;
    const std::vector<Double4> again = simulation.accelerations();
    if (!hasBodies) return error;
    const Symptom symptom = symptomOf(bodies, accelerations, again, softening,
                                      rounding + approximation.max, simulation.withoutRace());
    error.hint = symptom.text;
    error.share = symptom.share;
    if (evaluation > 1)
      error.hint =
          "the forces are correct the first time and wrong the second time, when the memory is "
          "used again. The second time, " +
          error.summary();
    return error;
  }
}

ForceError checkForces(Simulation& simulation, double softening, double unitRoundoff,
                       ErrorBound approximation) {
  return checkForces(simulation, simulation.download(), softening, unitRoundoff, approximation);
}

std::string failedAblation(const Program& program, const StepOptions& options, const Bodies& bodies,
                           double softening, double unitRoundoff) {
  std::string begin = "The forces are wrong ";
  for (const Ablation& ablation : options.ablations()) {
    const StepOptions& tried = *ablation.options;
    const Bodies few = some(bodies, ablation.bodies);
    int count = few.count();
    program.processes->broadcast(count);
    auto simulation = program.simulation(count, softening, tried);
    simulation->upload(few);
    computeAnew(*simulation);
    const ForceError error = checkForces(*simulation, softening, unitRoundoff, tried.errorBound());
    if (!error.passed) return begin + ablation.setting + ": " + error.summary();
    begin = "The forces are correct " + ablation.setting + ". They are wrong ";
  }
  return "";
}

std::string notFinite(const Bodies& bodies, std::int64_t first) {
  const auto isGood = [&](int i) {
    return isFinite(bodies.positions[i]) && isFinite(bodies.velocities[i]);
  };
  if (parallelAllOf(bodies.count(), isGood)) return "";
  int bad = 0, firstBad = 0;
  for (int i = 0; i < bodies.count(); ++i)
    if (!isGood(i) && bad++ == 0) firstBad = i;
  std::string which = "body " + std::to_string(first + firstBad);
  if (bad > 1) which += " and of " + std::to_string(bad - 1) + " more bodies";
  return "the position or velocity of " + which + " became NaN or infinite";
}

void checkFinite(const Bodies& bodies, std::int64_t first) {
  const std::string found = notFinite(bodies, first);
  if (!found.empty())
    throw std::runtime_error(found + ": the time step may be too long, or the softening too short");
}

}  // namespace nbody
