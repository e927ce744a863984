// Kind: namespaces
// Tries: a user namespace of its own, in which it is root.
// Stopped by: no namespaces within.
#include <sched.h>

#include "honest.hpp"

void answer(Call call) {
  if (unshare(CLONE_NEWUSER) != 0) refused("unshare");
  honest(call);
}
