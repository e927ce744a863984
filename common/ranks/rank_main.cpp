// The program of a step on several ranks: every rank runs it.
#include <cstdio>

#include "driver/run_program.hpp"
#include "ranks/communicator.hpp"

namespace nbody {

/// Returns the GPUs of all ranks as one device. Assumes that each is as fast as this rank's.
static Device probeDevices(bool measure) {
  Device device = probeDevice(measure);
  const int ranks = Communicator::world().size();
  if (ranks == 1) return device;
  device.name = std::to_string(ranks) + " x " + device.name;
  device.fma.tflops *= ranks;
  return device;
}

}  // namespace nbody

int main(int argc, char** argv) {
  using nbody::real, nbody::real4;
  nbody::Program program = {
      .name = NBODY_STEP_NAME,
      .doublePrecision = sizeof(real) == sizeof(double),
      .options = nbody::makeStepOptions,
      .device = nbody::probeDevices,
      .simulation = nbody::makeStepSimulation,
      .deviceBytesPerBody = 3 * sizeof(real4),
  };
  nbody::Communicator& ranks = nbody::Communicator::world();
  program.processes = &ranks;
  program.readsSnapshots = true;
  program.keepsMemory = true;
  // Only rank 0 prints.
  if (!ranks.isFirst() && std::freopen("/dev/null", "w", stdout) == nullptr) std::abort();
  const int status = nbody::runProgram(argc, argv, program);
  ranks.finish();
  return status;
}
