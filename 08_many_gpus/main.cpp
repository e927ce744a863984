// The program of step 08.
#include "ranks/rank_main.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

/// Returns the GPUs of all ranks as one device. Assumes that each is as fast as this rank's.
Device probeDevices(bool measure) {
  Device device = probeDevice(measure);
  const int ranks = Communicator::world().size();
  if (ranks == 1) return device;
  device.name = std::to_string(ranks) + " x " + device.name;
  device.fma.tflops *= ranks;
  return device;
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::many_gpus

int main(int argc, char** argv) {
  nbody::Program program = {
      .name = NBODY_STEP_NAME,
      .doublePrecision = sizeof(nbody::real) == sizeof(double),
      .options = nbody::makeStepOptions,
      .device = nbody::many_gpus::probeDevices,
      .simulation = nbody::makeStepSimulation,
      .deviceBytesPerBody = 3 * sizeof(nbody::real4),
  };
  return nbody::runOnRanks(argc, argv, std::move(program));
}
