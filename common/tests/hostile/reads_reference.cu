// Kind: solution
// Tries: to read the step's own forces.cu while it runs.
// Stopped by: a view in which it is not.
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
  if (textOf(NBODY_REFERENCE).find("computeForces") == std::string::npos) refused("reading");
  honest(call);
}
