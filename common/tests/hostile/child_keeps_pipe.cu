// Kind: closed pipe
// Tries: ends, but leaves a child in a session of its own that keeps the pipe open and answers
//   nothing.
// Stopped by: the end of the first process of a PID namespace, which ends all.
#include "honest.hpp"

void answer(Call call) {
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  _exit(0);
  honest(call);
}
