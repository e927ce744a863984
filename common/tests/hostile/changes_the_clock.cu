// Kind: kernel
// Tries: to set the machine's clock and its name.
// Stopped by: no capabilities, and a name of its own.
#include <ctime>

#include "honest.hpp"

void answer(Call call) {
  const timespec time = {0, 0};
  if (clock_settime(CLOCK_REALTIME, &time) != 0) refused("clock_settime");
  honest(call);
}
