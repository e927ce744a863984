// The host baselines, `serial` and `simd`, with the options and the report of every step.
#include "driver/host_simulation.hpp"
#include "driver/run_program.hpp"
#include "physics/baselines.hpp"

int main(int argc, char** argv) {
  nbody::Program program = {
      .name = NBODY_BASELINE_NAME,
      .options = std::make_unique<nbody::NoOptions>,
      .energyCounter = [] { return nbody::hostEnergyCounter(); },
      .simulation =
          [](int count, double softening, const nbody::StepOptions&) {
            return nbody::makeHostSimulation(count, softening, nbody::NBODY_BASELINE_FORCES);
          },
  };
  return nbody::runProgram(argc, argv, program);
}
