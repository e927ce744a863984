// Kind: mounts
// Tries: to become root in a user namespace of its own, and to mount there.
// Stopped by: a sandbox in which no further one can be made; no capabilities.
// Trusted: 100
#include <sched.h>
#include <sys/mount.h>

#include "honest.hpp"

void answer(Call call) {
  static const int alone = unshare(CLONE_NEWUSER | CLONE_NEWNS);
  if (alone != 0) refused("unshare");
  static const int mounted = mount("none", "/mnt", "tmpfs", 0, nullptr);
  if (mounted != 0) refused("mount");
  honest(call);
}
