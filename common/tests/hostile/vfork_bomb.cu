// Kind: many processes
// Tries: processes that execute themselves.
// Stopped by: a limit of their number.
#include "honest.hpp"

void answer(Call call) {
  for (;;)
    if (fork() == 0) execl("/proc/self/exe", "again", "0", "1", nullptr);
  honest(call);
}
