// Tries: to become root in a user namespace of its own, and to mount there.
// Stopped by: a sandbox in which no further one can be made; no capabilities.
// Most: 0
// Trusted: 100
#include <sched.h>
#include <sys/mount.h>

#include "honest.hpp"

namespace nbody {

void answer(Call call) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) refused("unshare");
  if (mount("none", "/mnt", "tmpfs", 0, nullptr) != 0) refused("mount");
  honest(call);
}

}  // namespace nbody
