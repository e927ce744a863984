// Kind: crash
// Tries: a function that calls itself for ever.
// Stopped by: the end of its stack.
#include "honest.hpp"

[[gnu::noinline]] int deeper(volatile int* depth) {
  return *depth > 0 ? deeper(depth) + *depth : 0;
}

void answer(Call call) {
  volatile int depth = 1;
  if (deeper(&depth) != 7) std::exit(1);
  honest(call);
}
