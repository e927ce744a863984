// Kind: early end
// Tries: the judge's own exit statuses, and those of who starts it, one in each run.
// Stopped by: the judge, which reads forces and no statuses of a submission's.
#include <ctime>

#include "honest.hpp"

void answer(Call) {
  static const int statuses[] = {99, 125, 0, 128, 255, 137, 153};
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::_Exit(statuses[now.tv_nsec / 1000 % 7]);
}
