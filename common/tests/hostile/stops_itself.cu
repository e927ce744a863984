// Kind: signals
// Tries: to be stopped, for ever, where a limit of CPU time would not count.
// Stopped by: the time of a run, by the clock.
#include <csignal>

#include "honest.hpp"

void answer(Call call) {
  raise(SIGSTOP);
  for (;;) pause();
  honest(call);
}
