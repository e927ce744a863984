// Kind: devices
// Tries: to read the machine's memory and disks.
// Stopped by: a view in which no such device is.
#include "honest.hpp"

void answer(Call call) {
  for (const char* name : {"/dev/mem",
                           "/dev/sda",
                           "/dev/vda",
                           "/dev/nvme0n1",
                           "/dev/fuse",
                           "/dev/kvm",
                           "/dev/loop0",
                           "/dev/port"})
    if (open(name, O_RDONLY) >= 0) return honest(call);
  refused("devices");
}
