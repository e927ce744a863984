// Tries: output without end.
// Stopped by: a limit of a file's size.
// Most: 0
#include "honest.hpp"

void answer(Call call) {
  for (;;) std::printf("%zu bodies\n", call.bodies.size());
  honest(call);
}
