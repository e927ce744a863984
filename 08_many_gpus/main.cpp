// The program of step 08: rank 0 runs what every step's program runs, the others follow.
#include "driver/run_program.hpp"
#include "ranks/rank_commands.hpp"
#include "ranks/rank_simulation.hpp"
#include "ranks/ranks.hpp"

int main(int argc, char** argv) {
  nbody::Ranks& ranks = nbody::Ranks::world();
  int status = 0;
  if (ranks.rank() > 0) {
    nbody::serve();
  } else {
    nbody::Program program = {
        .name = NBODY_STEP_NAME,
        .doublePrecision = sizeof(nbody::real) == sizeof(double),
        .options = nbody::makeStepOptions,
        .device = nbody::probeDevices,
        .simulation = nbody::makeStepSimulation,
        .readsSnapshots = true,
        .keepsMemory = true,
        .ranks = ranks.size(),
        .deviceBytesPerBody = 3 * sizeof(nbody::real4),
    };
    status = nbody::runProgram(argc, argv, program);
    nbody::dismiss();
  }
  ranks.finish();
  return status;
}
