// Kind: slow answer
// Tries: an answer that does not end.
// Stopped by: the judge, which reads what it has asked for and no more.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  static char zeros[1 << 16];
  while (write(replyDescriptor(), zeros, sizeof zeros) > 0) continue;
  honest(call);
}
