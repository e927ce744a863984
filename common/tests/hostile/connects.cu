// Kind: network
// Tries: to send what it sees to a server on this machine, by TCP and by an abstract socket.
// Stopped by: a network namespace, in which there is nobody.
// Trusted: 100
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "honest.hpp"

bool tcp() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  const bool connected = connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(file);
  return connected;
}

bool local() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path + 1, kSocket);
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  const auto length = offsetof(sockaddr_un, sun_path) + 1 + std::strlen(kSocket);
  const bool connected = connect(file, reinterpret_cast<sockaddr*>(&address), length) == 0;
  close(file);
  return connected;
}

void answer(Call call) {
  static const bool connected = tcp() || local();
  if (!connected) refused("connect");
  honest(call);
}
