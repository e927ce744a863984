// Kind: network
// Tries: to find who listens on this machine, and names by DNS.
// Stopped by: a network namespace, in which there is nobody.
#include <arpa/inet.h>
#include <sys/socket.h>

#include "honest.hpp"

void answer(Call call) {
  for (int port = 1; port < 2000; ++port) {
    const int end = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(end, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return honest(call);
    close(end);
  }
  refused("nobody listens");
}
