// Kind: kernel
// Tries: to watch the machine by its counters.
// Stopped by: a filter of system calls.
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  if (syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) < 0) refused("perf_event_open");
  honest(call);
}
