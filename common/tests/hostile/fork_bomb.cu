// Kind: many processes
// Tries: processes that make processes.
// Stopped by: a limit of their number; the grader's look at it.
#include "honest.hpp"

void answer(Call call) {
  for (;;) fork();
  honest(call);
}
