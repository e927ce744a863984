// Kind: definitions of its own
// Tries: makeStepSimulation() of its own.
// Stopped by: the judge, whose own is in another process. Its forces are right.
// Most: 100
// Trusted: 100
#include "driver/simulation.hpp"
#include "honest.hpp"

namespace nbody {

std::unique_ptr<Simulation> makeStepSimulation(int, double, const StepOptions&) { return nullptr; }

}  // namespace nbody

void answer(Call call) { honest(call); }
