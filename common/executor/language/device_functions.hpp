/// \file
/// How a kernel ends itself: __trap(), assert(), what the executor cannot run; what it asks of the place
/// where it runs; and printf() and the clocks, which host code has too.
#pragma once

#include <time.h>

#include "executor/language/always_inline.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Way in which the last failed kernel ended itself.
enum class KernelStop { none, trap, assertion, unsupported };
/// The stop of the last failed kernel, which is forgotten.
KernelStop takeKernelStop();

[[noreturn]] void trap();
/// For assert(): in a kernel it names the thread and ends the grid; in host code it ends the
/// process, as C's does.
[[noreturn]] void assertFailed(const char* expression, const char* file, int line,
                               const char* function);
/// Inline PTX that the executor does not know.
[[noreturn]] void unsupportedAsm(const char* text);

// %laneid, %warpid and %smid of PTX.
unsigned laneId();
unsigned warpId();
unsigned smId();
/// Multiprocessors over which smId() spreads the blocks.
extern unsigned multiprocessors;

}  // namespace nbody::executor

NBODY_ALWAYS_INLINE void __trap() { nbody::executor::trap(); }
NBODY_ALWAYS_INLINE void __brkpt() { nbody::executor::trap(); }
NBODY_ALWAYS_INLINE void __prof_trigger(int) {}

// Promises to nvcc's compiler, whose condition is not evaluated.
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(sizeof(condition))
#endif
#define __assume(condition) static_cast<void>(sizeof(condition))

namespace nbody::executor {

// printf() in a program with kernels.

/// C's in host code. In a kernel its result is CUDA's: how many arguments the format takes, -1 where
/// it is null.
[[gnu::format(printf, 1, 2)]] int deviceOrHostPrintf(const char* format, ...);

// The clocks that a kernel reads. They show the time of this machine; what a kernel measures by
// them says nothing of a GPU.

/// Ticks of clock64() in a nanosecond: the clock rate that the device's properties claim, in GHz.
extern double clockTicksPerNanosecond;
/// clock() in a program with kernels: the device's in a kernel, the process's elsewhere.
clock_t deviceOrHostClock();
/// Nanoseconds of a clock that only goes forward; what inline PTX calls %globaltimer.
unsigned long long globalTimer();
}  // namespace nbody::executor

long long clock64();
