// Kind: closed pipe
// Tries: to close all that it has open, and to go on for ever.
// Stopped by: the end of the pipe, which the judge sees.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  for (int file = 0; file < 1024; ++file) close(file);
  for (;;) pause();
  honest(call);
}
