// The first process of a submission's sandbox: starts the command that it is given, buries the
// orphans, and ends as that command did, whereupon the kernel ends all that is left.
//
// It runs as the submission's own user, who could otherwise write code into it through /proc/1/mem,
// outlive limits in it and read what it was started with: so it is closed to all but root.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {

constexpr int kNotStarted = 125;

/// Returns the status as a shell reports it.
int exitStatusOf(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Waits for all children until \p command has ended.
int waitFor(pid_t command) {
  for (;;) {
    int status = 0;
    const pid_t ended = wait(&status);
    if (ended == command) return exitStatusOf(status);
    if (ended < 0 && errno != EINTR) return kNotStarted;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Before there is a child, which has it until it executes its program.
  if (argc < 2 || prctl(PR_SET_DUMPABLE, 0) != 0) return kNotStarted;
  const pid_t command = fork();
  if (command < 0) return kNotStarted;
  if (command == 0) {
    execvp(argv[1], argv + 1);
    std::perror(argv[1]);
    _exit(kNotStarted);
  }
  // The judge is to see that the submission has closed its ends of the pipes.
  if (close_range(0, ~0u, 0) != 0)
    for (int file = 0; file < 1024; ++file) close(file);
  return waitFor(command);
}
