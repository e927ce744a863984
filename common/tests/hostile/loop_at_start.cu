// Kind: endless run
// Tries: a static constructor that does not end, before main().
// Stopped by: the time of a run.
#include "honest.hpp"

const int forever = [] {
  for (volatile int turn = 0;; turn = turn + 1) continue;
  return 0;
}();

void answer(Call call) { honest(call); }
