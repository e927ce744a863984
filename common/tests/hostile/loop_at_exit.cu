// Kind: endless run
// Tries: right forces, then an exit that does not end.
// Stopped by: the grader stops a program soon after its last answer.
// Most: 100
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
  static const int registered = std::atexit([] {
    for (volatile int turn = 0;; turn = turn + 1) continue;
  });
  static_cast<void>(registered);
  honest(call);
}
