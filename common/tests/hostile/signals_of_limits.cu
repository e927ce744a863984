// Kind: signals
// Tries: to end by the signals by which the grader tells a flood of output and a kill from a crash.
// Stopped by: no points for any end. What it is told may be wrong.
#include <csignal>
#include <ctime>

#include "honest.hpp"

void answer(Call) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  raise(now.tv_nsec % 2 ? SIGXFSZ : SIGKILL);
}
