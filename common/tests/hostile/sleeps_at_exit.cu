// Kind: slow all along
// Tries: right forces, and an exit that takes long in each process.
// Stopped by: the grader stops a program soon after its last answer. Its forces are right.
// Most: 100
#include "honest.hpp"

static const struct Slow {
  ~Slow() { sleep(2); }
} slow;

void answer(Call call) { honest(call); }
