// Kind: kernel
// Tries: calls that no filter sees.
// Stopped by: a filter of system calls that refuses their queue.
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  char parameters[256] = {};
  if (syscall(SYS_io_uring_setup, 8, parameters) < 0) refused("io_uring_setup");
  honest(call);
}
