// Kind: other processes
// Tries: to read the memory of its parent by a call that needs no file.
// Stopped by: a filter of system calls, and a parent that is closed.
#include <sys/uio.h>

#include "honest.hpp"

void answer(Call call) {
  char bytes[8];
  iovec here = {bytes, 8}, there = {reinterpret_cast<void*>(0x400000), 8};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) < 0 && errno != EFAULT)
    refused("process_vm_readv");
  honest(call);
}
