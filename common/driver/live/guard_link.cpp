#include "driver/live/guard_link.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <stdexcept>

#include "base/bad_input.hpp"

namespace nbody {

namespace {

constexpr std::size_t kMostText = PATH_MAX;

/// Two descriptors beside a message.
union TwoDescriptors {
  cmsghdr header;
  char bytes[CMSG_SPACE(2 * sizeof(int))];
};

}  // namespace

SharedDescriptor::SharedDescriptor(int descriptor)
    : owned_(new int(descriptor), [](const int* owned) {
        close(*owned);
        delete owned;
      }) {}

int SharedDescriptor::copy() const { return fcntl(get(), F_DUPFD_CLOEXEC, 3); }

void GuardLink::send(const LiveWord& word) const {
  const std::string text = word.text.substr(0, kMostText - 1);
  iovec part = {const_cast<char*>(text.c_str()), text.size() + 1};  // no message is empty
  TwoDescriptors beside = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (word.goesOn()) {
    const int descriptors[] = {word.listener.get(), word.state.get()};
    message.msg_control = beside.bytes;
    message.msg_controllen = sizeof beside.bytes;
    beside.header.cmsg_level = SOL_SOCKET;
    beside.header.cmsg_type = SCM_RIGHTS;
    beside.header.cmsg_len = CMSG_LEN(sizeof descriptors);
    std::memcpy(CMSG_DATA(&beside.header), descriptors, sizeof descriptors);
  }
  if (sendmsg(socket(), &message, MSG_NOSIGNAL) < 0)
    throw std::runtime_error("--live: the guard of the run cannot be told");
}

std::optional<LiveWord> GuardLink::receive() const {
  char text[kMostText] = "";
  iovec part = {text, sizeof text - 1};
  TwoDescriptors beside = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = beside.bytes;
  message.msg_controllen = sizeof beside.bytes;
  ssize_t got;
  do got = recvmsg(socket(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == ECONNRESET);  // the other end left something unread
  if (got <= 0) return std::nullopt;
  LiveWord word = {text};
  int descriptors[2];
  if (message.msg_controllen > 0 && beside.header.cmsg_len == CMSG_LEN(sizeof descriptors)) {
    std::memcpy(descriptors, CMSG_DATA(&beside.header), sizeof descriptors);
    word.listener = SharedDescriptor(descriptors[0]);
    word.state = SharedDescriptor(descriptors[1]);
  }
  return word;
}

void GuardLink::askToEnd() const { shutdown(socket(), SHUT_WR); }

bool GuardLink::endAsked() const {
  char first;
  return recv(socket(), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

GuardLink linkToGuard(const std::string& descriptor) {
  const char* end = descriptor.data() + descriptor.size();
  int socket = -1, type = 0;
  if (std::from_chars(descriptor.data(), end, socket).ptr != end) socket = -1;
  socklen_t size = sizeof type;
  if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET)
    throw BadInput("--live-guard: descriptor " + descriptor +
                   " is no socket of a live run's guard");
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  return GuardLink(socket);
}

}  // namespace nbody
