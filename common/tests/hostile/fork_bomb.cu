// Tries: processes that make processes.
// Stopped by: a limit of their number; the grader's look at it.
// Most: 0
#include "honest.hpp"

void answer(Call call) {
  for (;;) fork();
  honest(call);
}
