// Kind: other processes
// Tries: to have a child trace it, and to hide behind that.
// Stopped by: a filter of system calls.
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "honest.hpp"

void answer(Call call) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_SEIZE, parent, nullptr, nullptr) == 0 ? 0 : errno);
  int status = 0;
  waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  if (status != 0) refused("ptrace");
  honest(call);
}
