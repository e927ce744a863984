// Kind: limits
// Tries: to raise its limits of files, memory and processes.
// Stopped by: hard limits, which only root raises.
#include <sys/resource.h>

#include "honest.hpp"

void answer(Call call) {
  int raised = 0;
  for (const auto resource : {RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_CORE}) {
    const rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    raised += setrlimit(resource, &none) == 0;
  }
  if (raised == 0) refused("setrlimit");
  honest(call);
}
