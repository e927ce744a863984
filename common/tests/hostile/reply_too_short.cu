// Kind: slow answer
// Tries: half of an answer, and then silence.
// Stopped by: the time of a run.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  static_cast<void>(write(replyDescriptor(), "0123456789", 10));
  for (;;) pause();
  honest(call);
}
