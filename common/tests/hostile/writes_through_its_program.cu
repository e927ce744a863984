// Kind: written results
// Tries: to write over its own program, for the runs to come.
// Stopped by: a view in which it cannot be written.
#include "honest.hpp"

void answer(Call call) {
  const int file = open("/proc/self/exe", O_RDWR);
  if (file < 0) refused("its own program");
  honest(call);
}
