// Kind: flood of output
// Tries: complaints without end, by a program that ignores the signal of a file's limit.
// Stopped by: the limit itself, and the time of a run.
#include <csignal>

#include "honest.hpp"

void answer(Call call) {
  std::signal(SIGXFSZ, SIG_IGN);
  for (;;) std::fprintf(stderr, "%zu bodies\n", call.bodies.size());
  honest(call);
}
