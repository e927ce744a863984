// Kind: namespaces
// Tries: to leave its root folder.
// Stopped by: no capabilities.
#include "honest.hpp"

void answer(Call call) {
  if (chroot("/tmp") != 0) refused("chroot");
  honest(call);
}
