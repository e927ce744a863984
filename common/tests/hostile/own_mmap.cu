// Kind: definitions of its own
// Tries: mmap() of its own, by which it learns where the device's memory is.
// Stopped by: the grader, which takes no definition of the system's.
#include <sys/syscall.h>

#include "honest.hpp"

extern "C" void* mmap(void* at,
                      std::size_t bytes,
                      int protection,
                      int flags,
                      int file,
                      long offset) {
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
}

void answer(Call call) { honest(call); }
