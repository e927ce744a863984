// Kind: other processes
// Tries: to trace another process of the grader's, and to read its memory.
// Stopped by: a PID namespace; no capabilities.
// Trusted: 100
#include <sys/ptrace.h>

#include "honest.hpp"

void answer(Call call) {
  static const long traced = ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr);
  if (traced != 0) refused("ptrace");
  honest(call);
}
