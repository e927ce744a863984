// Kind: crash
// Tries: to jump out of the call to a place that is no more.
// Stopped by: the end of the process.
#include <csetjmp>

#include "honest.hpp"

static jmp_buf place;

[[gnu::noinline]] static int mark() { return setjmp(place); }

void answer(Call call) {
  if (mark() == 0) longjmp(place, 1);
  std::abort();
  honest(call);
}
