// Kind: other processes
// Tries: to take what the first process has open.
// Stopped by: a filter of system calls, and a first process that is closed.
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, 1, 0));
  for (int file = 0; file < 64; ++file)
    if (syscall(SYS_pidfd_getfd, process, file, 0) >= 0) return honest(call);
  refused("descriptors");
}
