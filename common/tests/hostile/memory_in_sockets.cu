// Kind: memory of no process
// Tries: messages that nobody receives, in sockets that are in messages.
// Stopped by: a limit of what it has open, and of a socket's size. Its forces are right.
// Most: 100
#include <sys/socket.h>

#include "honest.hpp"

void answer(Call call) {
  static const std::string much(200000, 'x');
  for (int k = 0; k < 200; ++k) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends) != 0) break;
    for (int n = 0; n < 100; ++n)
      if (send(ends[0], much.data(), much.size(), 0) < 0) break;
  }
  honest(call);
}
