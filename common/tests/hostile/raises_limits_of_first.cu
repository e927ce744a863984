// Kind: limits
// Tries: to raise the limits of the sandbox's first process.
// Stopped by: hard limits of its own, around the whole sandbox.
#include <sys/resource.h>

#include "honest.hpp"

void answer(Call call) {
  const rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  if (prlimit(1, RLIMIT_FSIZE, &none, nullptr) != 0) refused("prlimit");
  honest(call);
}
