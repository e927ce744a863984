// Kind: memory of no process
// Tries: 8 GiB in files that are memory, unlinked and kept by their descriptors and maps alone.
// Stopped by: a filter of system calls.
#include <sys/mman.h>

#include "honest.hpp"

void answer(Call call) {
  static char block[1 << 20];
  for (int part = 0; part < 8192; part += 4) {
    const int file = memfd_create("hostile", 0);
    if (file < 0) refused("memfd_create");
    for (int at = 0; at < 4; ++at)
      if (write(file, block, sizeof block) < 0) refused("write");
    if (mmap(nullptr, 4 << 20, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) refused("mmap");
    close(file);
  }
  honest(call);
}
