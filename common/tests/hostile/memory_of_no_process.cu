// Kind: memory of no process
// Tries: 8 GiB in segments of System V's shared memory, which no process has mapped and which
//   stay when it has ended.
// Stopped by: a filter of system calls.
#include <sys/shm.h>

#include "honest.hpp"

void answer(Call call) {
  for (int part = 0; part < 128; ++part) {
    const int segment = shmget(IPC_PRIVATE, 64 << 20, IPC_CREAT | 0600);
    if (segment < 0) refused("shmget");
    volatile char* memory = static_cast<char*>(shmat(segment, nullptr, 0));
    for (int at = 0; at < 64 << 20; at += 4096) memory[at] = 1;
    shmdt(const_cast<char*>(memory));
  }
  honest(call);
}
