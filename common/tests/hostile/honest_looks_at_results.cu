// Kind: correct but unusual
// Tries: nothing: it copies the forces to the host to look at them, when they are there.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

void answer(Call call) {
  honest(call);
  const std::vector<real4> seen = call.accelerations.download();
  if (seen.size() != call.bodies.size()) refused("size");
}
