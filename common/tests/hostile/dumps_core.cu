// Kind: full disk
// Tries: a core dump of all its memory, on the disk.
// Stopped by: a limit of its size.
#include <sys/resource.h>
#include <csignal>
#include <vector>

#include "honest.hpp"

void answer(Call call) {
  const rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &none);
  static std::vector<char> much(100 << 20, 1);
  std::signal(SIGQUIT, SIG_DFL);  // who runs the test may ignore it
  std::raise(SIGQUIT);
  honest(call);
}
