// Kind: full disk
// Tries: folders in folders, deeper than any path is long.
// Stopped by: the time of a run; they are gone with its /tmp.
#include <sys/stat.h>

#include "honest.hpp"

void answer(Call call) {
  chdir("/tmp");
  for (;;)
    if (mkdir("d", 0700) != 0 || chdir("d") != 0) refused("deeper");
  honest(call);
}
