// Compiled into each step, in its precision.
#include "cuda/real.hpp"
#include "driver/run_program.hpp"
#include "driver/simulation.hpp"

int main(int argc, char** argv) {
  nbody::Program program = {
      .name = NBODY_STEP_NAME,
      .doublePrecision = sizeof(nbody::real) == sizeof(double),
      .options = nbody::makeStepOptions,
      .device = nbody::probeDevice,
      .simulation = nbody::makeStepSimulation,
      .keepsMemory = NBODY_WORKSPACE,
      .deviceBytesPerBody = 3 * sizeof(nbody::real4),  // bodies, velocities, accelerations
  };
  return nbody::runProgram(argc, argv, program);
}
