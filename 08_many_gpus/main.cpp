// The program of step 08.
#include "ranks/rank_main.hpp"

int main(int argc, char** argv) {
  nbody::Program program = {
      .name = NBODY_STEP_NAME,
      .doublePrecision = sizeof(nbody::real) == sizeof(double),
      .options = nbody::makeStepOptions,
      .device = nbody::probeDevices,
      .simulation = nbody::makeStepSimulation,
      .deviceBytesPerBody = 3 * sizeof(nbody::real4),
  };
  return nbody::runOnRanks(argc, argv, std::move(program));
}
