// Kind: network
// Tries: a socket to the machine's host.
// Stopped by: a network namespace has none of it, or nobody listens.
#include <linux/vm_sockets.h>
#include <sys/socket.h>

#include "honest.hpp"

void answer(Call call) {
  const int end = socket(AF_VSOCK, SOCK_STREAM, 0);
  sockaddr_vm to = {};
  to.svm_family = AF_VSOCK;
  to.svm_cid = VMADDR_CID_HOST;
  to.svm_port = 1;
  if (end < 0 || connect(end, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) refused("vsock");
  honest(call);
}
