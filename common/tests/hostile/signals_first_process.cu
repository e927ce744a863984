// Kind: signals
// Tries: to stop and to end the sandbox's first process by every signal.
// Stopped by: a first process that signals from within do not end. Its forces are right.
// Most: 100
#include <csignal>

#include "honest.hpp"

void answer(Call call) {
  for (int k = 1; k < 65; ++k)
    if (k != SIGCHLD) kill(1, k);
  honest(call);
}
