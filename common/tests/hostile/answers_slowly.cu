// Kind: slow answer
// Tries: a byte of the answer each second, so that the judge always has something to wait
//   for.
// Stopped by: the time of a run, which bytes do not prolong.
#include "honest.hpp"

void answer(Call call) {
  for (;;) {
    if (write(replyDescriptor(), "", 1) != 1) refused("write");
    sleep(1);
  }
  honest(call);
}
