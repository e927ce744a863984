// Kind: other processes
// Tries: to write into the memory of the sandbox's first process, which limits do not hold.
// Stopped by: a first process that is closed to its own user, within the same limits.
#include "honest.hpp"

void answer(Call call) {
  const int memory = open("/proc/1/mem", O_RDWR);
  if (memory < 0) refused("/proc/1/mem");
  honest(call);
}
