// Kind: limits
// Tries: every descriptor that it may have, and forces then.
// Stopped by: a limit of their number, which kernels need none of. Its forces are right.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  for (int k = 0; k < 100000; ++k)
    if (open("/dev/null", O_RDONLY) < 0) break;
  honest(call);
}
