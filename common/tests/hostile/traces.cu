// Tries: to trace another process of the grader's, and to read its memory.
// Stopped by: a PID namespace; no capabilities.
// Most: 0
// Trusted: 100
#include <sys/ptrace.h>

#include "honest.hpp"

namespace nbody {

void answer(Call call) {
  if (ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) != 0) refused("ptrace");
  ptrace(PTRACE_DETACH, getppid(), nullptr, nullptr);
  honest(call);
}

}  // namespace nbody
