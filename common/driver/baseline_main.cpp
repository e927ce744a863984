// The host baselines, `serial` and `simd`, with the options and the report of every step.
#include "physics/baselines.hpp"
#include "driver/host_simulation.hpp"
#include "driver/run_program.hpp"

int main(int argc, char** argv) {
  nbody::Program program = {
      .name = NBODY_BASELINE_NAME,
      .doublePrecision = false,
      .parameters = {},
      .device = [](bool) { return nbody::hostDevice(); },
      .simulation =
          [](int count, double softening, const nbody::Parameters&) {
            return nbody::makeHostSimulation(count, softening, nbody::NBODY_BASELINE_FORCES);
          },
      .deviceBytesPerBody = 0,
  };
  return nbody::runProgram(argc, argv, program);
}
