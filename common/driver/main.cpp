// The program of every step and of every host baseline, and the judge of a step: compiled once.
#include "driver/run_program.hpp"

int main(int argc, char** argv) {
  const nbody::LinkedMethod& method = nbody::linkedMethods().front();
  nbody::Program program = {
      .name = method.name,
      .doublePrecision = method.doublePrecision,
      .options = method.options,
      .energyCounter = [] { return nbody::hostEnergyCounter(); },
      .simulation = method.simulation,
      .keepsMemory = method.keepsMemory,
      .remembers = method.remembers,
  };
  if (!method.onHost) {
    program.device = nbody::probeDevice;
    program.energyCounter = nbody::deviceEnergyCounter;
    const std::size_t realBytes = method.doublePrecision ? sizeof(double) : sizeof(float);
    program.deviceBytesPerBody = 3 * 4 * realBytes;  // bodies, velocities, accelerations
  }
  return nbody::runProgram(argc, argv, program);
}
