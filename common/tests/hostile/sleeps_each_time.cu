// Kind: slow all along
// Tries: to take 3 s in each process, below the limit of each.
// Stopped by: one budget of time for all of them together.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  static const int slept = usleep(3000000);
  static_cast<void>(slept);
  honest(call);
}
