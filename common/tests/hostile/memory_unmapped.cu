// Kind: memory of no process
// Tries: 6 GiB in two processes, of memory that is shared: written, and its pages then given
//   back, which leaves them in use but in no process's count.
// Stopped by: the grader counts addresses, not pages.
#include <sys/mman.h>

#include "honest.hpp"

void answer(Call call) {
  fork();
  for (int part = 0; part < 48; ++part) {
    const std::size_t bytes = 64 << 20;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) refused("mmap");
    for (std::size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
    madvise(memory, bytes, MADV_DONTNEED);
  }
  sleep(1);
  honest(call);
}
