// Kind: flood of output
// Tries: output without end.
// Stopped by: a limit of a file's size.
#include "honest.hpp"

void answer(Call call) {
  for (;;) std::printf("%zu bodies\n", call.bodies.size());
  honest(call);
}
