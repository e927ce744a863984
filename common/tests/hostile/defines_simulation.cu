// Tries: makeStepSimulation() of its own.
// Stopped by: the linker.
// Most: 0
// Trusted: 0
#include "honest.hpp"
#include "driver/simulation.hpp"

namespace nbody {

std::unique_ptr<Simulation> makeStepSimulation(int, double, const StepOptions&) { return nullptr; }

void answer(Call call) { honest(call); }

}  // namespace nbody
