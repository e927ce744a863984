/// \file
/// Functions with which a kernel ends itself: __trap(), assert(), and what the executor cannot run.
/// Also registers of the place where it runs, printf() and clocks, which host code has too.
#pragma once

#include <time.h>

#include "executor/language/always_inline.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

[[noreturn]] void trap();
/// Implements assert(): in a kernel it names the thread and ends the grid; in host code it ends the
/// process, like C's.
[[noreturn]] void assertFailed(const char* expression, const char* file, int line,
                               const char* function);

// %laneid, %warpid and %smid of PTX.
unsigned laneId();
unsigned warpId();
unsigned smId();
/// 10 times the compute capability of the device, for example 75.
extern int computeCapability;
/// Number of multiprocessors over which smId() spreads the blocks.
extern unsigned multiprocessors;

}  // namespace nbody::executor

NBODY_ALWAYS_INLINE void __trap() { nbody::executor::trap(); }
NBODY_ALWAYS_INLINE void __brkpt() { nbody::executor::trap(); }
NBODY_ALWAYS_INLINE void __prof_trigger(int) {}

// Promises to nvcc's compiler. Their condition is not evaluated.
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(sizeof(condition))
#endif
#define __assume(condition) static_cast<void>(sizeof(condition))

namespace nbody::executor {

// printf() in a program with kernels.

/// Calls C's function in host code. In a kernel it returns what CUDA's returns: the number of the
/// format's arguments, or -1 if it is null.
[[gnu::format(printf, 1, 2)]] int deviceOrHostPrintf(const char* format, ...);

// Clocks that a kernel reads. They show the time of this machine, which says nothing about a GPU.

/// clock() in a program with kernels: the device's in a kernel, the process's elsewhere.
clock_t deviceOrHostClock();
/// Returns nanoseconds of a clock that only goes forward, which inline PTX calls %globaltimer.
unsigned long long globalTimer();
}  // namespace nbody::executor

long long clock64();
