// Kind: definitions of its own
// Tries: its own write() in the place of the system's, which fills answers with zeros.
// Stopped by: the grader, which takes no definition of the system's.
#include <sys/syscall.h>

#include <new>

#include "honest.hpp"

extern "C" ssize_t write(int file, const void*, size_t bytes) {
  static char zeros[1 << 20];
  return syscall(SYS_write, file, zeros, bytes);
}

void* operator new(std::size_t bytes) { return std::calloc(1, bytes + 64); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

void answer(Call call) { honest(call); }
