// Kind: clock of its own
// Tries: a clock of its own that stands still, for the timer.
// Stopped by: the grader, which takes no definition of the system's; and the judge's clock is in
//   another process.
#include <ctime>

#include <chrono>

#include "honest.hpp"

extern "C" int clock_gettime(clockid_t, timespec* time) noexcept {
  *time = {1, 0};
  return 0;
}

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept { return {}; }

void answer(Call call) { honest(call); }
