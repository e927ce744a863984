// Kind: kernel
// Tries: a program in the kernel.
// Stopped by: a filter of system calls.
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  if (syscall(SYS_bpf, 0, nullptr, 0) < 0) refused("bpf");
  honest(call);
}
