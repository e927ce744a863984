// Kind: devices
// Tries: to make a device where none is.
// Stopped by: no capabilities.
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "honest.hpp"

void answer(Call call) {
  if (mknod("/tmp/disk", S_IFBLK | 0600, makedev(8, 0)) != 0) refused("mknod");
  honest(call);
}
