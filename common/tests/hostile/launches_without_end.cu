// Kind: endless run
// Tries: kernels that end, one after another, for ever.
// Stopped by: the time of a run.
#include "honest.hpp"

void answer(Call call) {
  for (;;) honest(call);
}
