// Kind: crash
// Tries: to abort.
// Stopped by: its own end.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  std::abort();
  honest(call);
}
