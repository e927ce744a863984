// Kind: signals
// Tries: to ignore every signal that it may, and to go on for ever.
// Stopped by: SIGKILL.
#include <csignal>

#include "honest.hpp"

void answer(Call call) {
  for (int k = 1; k < 64; ++k) std::signal(k, SIG_IGN);
  for (;;) pause();
  honest(call);
}
