// Kind: work of the host
// Tries: to call the suite's own baseline, which it declares itself.
// Stopped by: the linker: a submission's process has none.
#include "honest.hpp"

namespace nbody {
void simdForces(const std::vector<float4>& bodies,
                float softeningSquared,
                std::vector<float4>& accelerations);
}

void answer(Call call) {
  std::vector<real4> forces(call.bodies.size());
  simdForces(call.bodies.download(), call.softeningSquared, forces);
  call.accelerations.upload(forces);
}
