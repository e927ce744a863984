/// \file
/// Memory that one thread hands over to another with a fence and an atomic, without a barrier.
/// "Write the result, __threadfence(), atomicAdd(&tickets, 1)": the thread with the last ticket may
/// read all results.
#pragma once

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

/// Records a fence of the running thread. The thread's next atomics hand over what came before it.
/// Its later accesses get a new slice.
void passFence();

/// Records an atomic of the running thread at \p address. An atomic that writes hands over; one
/// that reads takes over.
void handOn(const void* address);
void takeOver(const void* address);
/// Records a load that takes over only together with the thread's next fence or barrier.
void takeOverLater(const void* address);
/// Returns whether a thread has handed over memory at this address.
bool isHandingOver(const void* address);

/// Shares between lanes \p lanes of the warp that begins with thread \p first what any of them has
/// taken over, because they met at a __syncwarp().
void shareTakenOver(int first, unsigned lanes);

/// Returns whether the running thread has taken over memory up to \p earlier, an access to \p word.
bool isHandedOver(Record earlier, const char* word);

void forgetHandovers();

}  // namespace nbody::executor::checker
