// Kind: signals
// Tries: to kill its parent and every process that it may.
// Stopped by: a PID namespace, in which there are none but its own, and a first process that
//   signals from within do not end.
// Most: 100
#include <csignal>

#include "honest.hpp"

void answer(Call call) {
  static const int all = kill(-1, SIGKILL) + kill(getppid(), SIGKILL) + kill(1, SIGKILL);
  static_cast<void>(all);
  honest(call);
}
