// Kind: forces of before
// Tries: to count its runs in a file, and to be right in the first alone.
// Stopped by: a /tmp of its own for each run. Its forces are right.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  if (access("/tmp/hostile-left-run", F_OK) == 0) throw std::runtime_error("a second run");
  static const bool ends =
      std::atexit([] { close(open("/tmp/hostile-left-run", O_CREAT | O_WRONLY, 0600)); }) == 0;
  static_cast<void>(ends);
  honest(call);
}
