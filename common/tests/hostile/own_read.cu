// Kind: definitions of its own
// Tries: read() of its own, which sees the bodies on their way from the judge.
// Stopped by: the grader, which takes no definition of the system's.
#include <sys/syscall.h>

#include "honest.hpp"

static char seen[1 << 20];

extern "C" ssize_t read(int file, void* to, std::size_t bytes) {
  const ssize_t got = syscall(SYS_read, file, to, bytes);
  if (got > 0) std::memcpy(seen, to, std::min<std::size_t>(got, sizeof seen));
  return got;
}

void answer(Call call) { honest(call); }
