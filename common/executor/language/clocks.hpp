/// \file
/// The clocks that a kernel reads. They show the time of this machine; what a kernel measures by
/// them says nothing of a GPU.
#pragma once

#include <time.h>

#include "executor/threads.hpp"

namespace nbody::executor {
/// Ticks of clock64() in a nanosecond: the clock rate that the device's properties claim, in GHz.
extern double clockTicksPerNanosecond;
/// clock() in a program with kernels: the device's in a kernel, the process's elsewhere.
clock_t deviceOrHostClock();
/// Nanoseconds of a clock that only goes forward; what inline PTX calls %globaltimer.
unsigned long long globalTimer();
}  // namespace nbody::executor

long long clock64();
