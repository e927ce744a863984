#include "driver/speed.hpp"

namespace nbody {

Speed speedOf(double ms,
              int bodies,
              bool single,
              const std::optional<PhaseTimes>& parts,
              const Device& device) {
  const bool counted = parts && parts->interactions > 0;
  const double interactions = counted ? parts->interactions : static_cast<double>(bodies) * bodies;
  const double flop = counted ? parts->flop : interactions * flopPerInteraction(single);
  Speed speed = {interactions / (ms * 1e-3), flop / (ms * 1e-3) * 1e-9, std::nullopt};
  // The probe measures the FP32 lanes; it is no ceiling for FP64.
  const double ceiling = device.fma.tflops;
  if (single && ceiling > 0) speed.fmaShare = speed.gflops / (1e3 * ceiling);
  return speed;
}

}  // namespace nbody
