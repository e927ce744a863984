// Kind: early end
// Tries: the same from a static constructor, before anyone asks.
// Stopped by: the judge, which reads forces and no words.
// Trusted: 0
#include "honest.hpp"

const int early = [] {
  std::puts("check              passed\nAll tests passed (1 assertion in 1 test case)");
  std::fflush(stdout);
  _exit(0);
  return 0;
}();

void answer(Call call) { honest(call); }
