// Kind: crash
// Tries: a write to where nothing is.
// Stopped by: its own end: the process is its own.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  *reinterpret_cast<volatile int*>(8) = 1;
  honest(call);
}
