// The program of every host baseline, with the options and the report of every step.
#include "driver/run_program.hpp"

int main(int argc, char** argv) {
  const nbody::LinkedMethod& method = nbody::linkedMethods().front();
  const nbody::Program program = {
      .name = method.facts.name,
      .options = method.options,
      .energyCounter = [] { return nbody::hostEnergyCounter(); },
      .simulation = method.simulation,
  };
  return nbody::runProgram(argc, argv, program);
}
