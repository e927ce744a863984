#include "driver/run_checks.hpp"

#include <cmath>

#include "base/bad_input.hpp"
#include "base/progress.hpp"
#include "bodies/vectors.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace {

double unitRoundoff(const Program& program) { return program.doublePrecision ? 0x1p-53 : 0x1p-24; }

constexpr double kBatchMs = 20;  // of evaluations, between two looks at the clock

}  // namespace

ForceError checked(Simulation& simulation,
                   const RunOptions& options,
                   const Program& program,
                   const Bodies& bodies) {
  Progress progress("FP64 reference");
  const StepOptions& step = *options.stepOptions;
  const double roundoff = unitRoundoff(program);
  ForceError error = checkForces(simulation,
                                 bodies,
                                 options.softening,
                                 roundoff,
                                 step.errorBound(),
                                 program.keepsMemory ? 2 : 1);
  if (error.passed || error.evaluation > 1) return error;
  const std::string part = failedAblation(program, step, bodies, options.softening, roundoff);
  if (!part.empty()) error.hint = part;
  return error;
}

Conserved conserved(const Bodies& bodies, double softening) {
  if (bodies.count() > kMostForEnergy) return conservedMomenta(bodies);
  Progress progress("energy in FP64");
  return conservedQuantities(bodies, softening);
}

void compare(const Conserved& before, const Conserved& after, bool withEnergy, RunResult& result) {
  const double change = distance(after.momentum, before.momentum);
  result.momentumDrift = change == 0 ? 0 : change / after.speedScale;
  if (!withEnergy) return;
  const double energyChange = std::abs(after.energy() - before.energy());
  result.energyDrift = energyChange == 0 ? 0 : energyChange / std::abs(before.energy());
}

EnergyCounter energyCounter(const RunOptions& options, const Program& program) {
  if (options.energySeconds == 0) return {};
  if (program.energyCounter == nullptr)
    throw BadInput(
        "--energy is not available in this program, because it runs as several processes");
  EnergyCounter counter = program.energyCounter();
  if (counter.source.empty()) throw BadInput("--energy: " + counter.missing);
  return counter;
}

void countEnergy(Simulation& simulation,
                 const EnergyCounter& counter,
                 int seconds,
                 RunResult& result) {
  result.energyMissing = counter.missing;
  if (!counter.joules) return;
  Progress progress("energy of force evaluations");
  const int runs = 1 + static_cast<int>(kBatchMs / result.force->median);
  const auto batch = [&] {
    for (int k = 0; k < runs; ++k) simulation.computeForces();
    simulation.synchronize();
  };
  result.energy = measureEnergy(counter, batch, runs, seconds);
  if (!result.energy) result.energyMissing = "the counter changed too rarely; give more seconds";
}

}  // namespace nbody
