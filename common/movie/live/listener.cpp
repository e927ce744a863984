#include "movie/live/listener.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/bad_input.hpp"

namespace nbody {

namespace {

union AnyAddress {
  sockaddr any;
  sockaddr_in four;
  sockaddr_in6 six;
};

[[noreturn]] void refuse(const std::string& why) { throw BadInput("--live-address: " + why); }

AnyAddress parsed(const std::string& address, int port) {
  AnyAddress parsed = {};
  if (inet_pton(AF_INET, address.c_str(), &parsed.four.sin_addr) == 1) {
    parsed.four.sin_family = AF_INET;
    parsed.four.sin_port = htons(port);
    if (parsed.four.sin_addr.s_addr != INADDR_ANY) return parsed;
  } else if (inet_pton(AF_INET6, address.c_str(), &parsed.six.sin6_addr) == 1) {
    parsed.six.sin6_family = AF_INET6;
    parsed.six.sin6_port = htons(port);
    if (!IN6_IS_ADDR_UNSPECIFIED(&parsed.six.sin6_addr)) return parsed;
  } else {
    refuse("must be an address such as 127.0.0.1 or ::1, not '" + address + "'");
  }
  refuse("name one address of this machine, not all of them (" + address +
         "): the page is served under that one");
}

}  // namespace

Listener::Listener(const std::string& address, int port) {
  const AnyAddress wanted = parsed(address, port);
  const bool six = wanted.any.sa_family == AF_INET6;
  descriptor_ = socket(wanted.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (descriptor_ >= 0) setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (descriptor_ < 0 ||
      bind(descriptor_, &wanted.any, six ? sizeof wanted.six : sizeof wanted.four) != 0 ||
      listen(descriptor_, SOMAXCONN) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) close(descriptor_);
    if (error == EADDRINUSE)
      throw BadInput("--live: port " + std::to_string(port) +
                     " is in use; name another, or 0 for any free one");
    refuse(address + ", port " + std::to_string(port) + ": " + std::strerror(error));
  }
  learnAddress();
}

Listener::Listener(int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    throw BadInput("--live-guard: descriptor " + std::to_string(descriptor) +
                   " is no socket that listens");
  descriptor_ = descriptor;
  learnAddress();
}

void Listener::learnAddress() {
  AnyAddress bound = {};
  socklen_t size = sizeof bound;
  getsockname(descriptor_, &bound.any, &size);
  char text[INET6_ADDRSTRLEN] = "";
  if (bound.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &bound.six.sin6_addr, text, sizeof text);
    port_ = ntohs(bound.six.sin6_port);
  } else {
    inet_ntop(AF_INET, &bound.four.sin_addr, text, sizeof text);
    port_ = ntohs(bound.four.sin_port);
  }
  address_ = text;
}

int Listener::copy() const { return fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

Listener::~Listener() { close(descriptor_); }

}  // namespace nbody
