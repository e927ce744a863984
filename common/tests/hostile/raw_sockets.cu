// Kind: network
// Tries: to read what goes over the network.
// Stopped by: no capabilities, and a network of its own.
#include <sys/socket.h>

#include "honest.hpp"

void answer(Call call) {
  if (socket(AF_PACKET, SOCK_RAW, 0) < 0) refused("socket");
  honest(call);
}
