// The first process of a submission's sandbox. It starts the given command, reaps orphans, and ends
// with the command's status; then the kernel ends all remaining processes.
//
// It runs as the submission's user, so only root may access it. Otherwise the submission could
// write code into it with /proc/1/mem, outlive its limits there, and read its environment.
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

/// Waits for all children until \p command has ended. Returns its status.
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
  // Before the first child, which inherits this until it executes its program.
  if (argc < 2 || prctl(PR_SET_DUMPABLE, 0) != 0) return kNotStarted;
  const pid_t command = fork();
  if (command < 0) return kNotStarted;
  if (command == 0) {
    execvp(argv[1], argv + 1);
    std::perror(argv[1]);
    _exit(kNotStarted);
  }
  // Closes the pipes here, so that the judge notices if the submission closes its ends.
  if (close_range(0, ~0u, 0) != 0)
    for (int file = 0; file < 1024; ++file) close(file);
  return waitFor(command);
}
