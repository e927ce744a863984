// Kind: many processes
// Tries: a daemon in a session of its own, which outlives the submission.
// Stopped by: the end of the PID namespace. Its forces are right.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (;;) pause();
    _exit(0);
  }
  honest(call);
}
