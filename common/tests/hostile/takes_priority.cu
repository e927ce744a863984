// Kind: limits
// Tries: to go before all others: a real-time schedule, and a negative niceness.
// Stopped by: no capabilities.
#include <sched.h>
#include <sys/resource.h>

#include "honest.hpp"

void answer(Call call) {
  sched_param first = {99};
  errno = 0;
  if (sched_setscheduler(0, SCHED_FIFO, &first) != 0 && setpriority(PRIO_PROCESS, 0, -20) != 0)
    refused("priority");
  honest(call);
}
