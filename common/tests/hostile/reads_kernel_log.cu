// Kind: kernel
// Tries: to read the kernel's log, which has addresses.
// Stopped by: a view in which it is not.
#include "honest.hpp"

void answer(Call call) {
  if (open("/dev/kmsg", O_RDONLY) < 0 && open("/proc/kmsg", O_RDONLY) < 0) refused("the log");
  honest(call);
}
