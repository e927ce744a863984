// Kind: memory of no process
// Tries: pipes that are full and that nobody reads.
// Stopped by: a limit of what it has open. Its forces are right.
// Most: 100
#include "honest.hpp"

void answer(Call call) {
  static const std::string much(1 << 20, 'x');
  for (int k = 0; k < 200; ++k) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) break;
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    static_cast<void>(write(ends[1], much.data(), much.size()));
  }
  honest(call);
}
