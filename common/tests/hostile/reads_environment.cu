// Kind: secrets
// Tries: to read a secret of the grader's environment.
// Stopped by: an environment of its own.
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
  errno = ENOENT;
  if (std::getenv("NBODY_HOSTILE_SECRET") == nullptr) refused("the secret");
  honest(call);
}
