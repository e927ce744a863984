// The program of every step, and its judge: compiled once.
#include "driver/run_program.hpp"

int main(int argc, char** argv) {
  const nbody::StepFacts step = nbody::stepFacts();
  const std::size_t realBytes = step.doublePrecision ? sizeof(double) : sizeof(float);
  nbody::Program program = {
      .name = step.name,
      .doublePrecision = step.doublePrecision,
      .options = nbody::makeStepOptions,
      .device = nbody::probeDevice,
      .energyCounter = nbody::deviceEnergyCounter,
      .simulation = nbody::makeStepSimulation,
      .keepsMemory = step.keepsMemory,
      .deviceBytesPerBody = 3 * 4 * realBytes,  // bodies, velocities, accelerations
  };
  return nbody::runProgram(argc, argv, program);
}
