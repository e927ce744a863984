/// \file
/// Memory that one thread hands to another by a fence and an atomic: the order that barriers do not
/// give. "Write the result, __threadfence(), atomicAdd(&tickets, 1)": the thread with the last
/// ticket may read all results.
#pragma once

#include "executor/checker/shadow.hpp"

namespace nbody::executor::checker {

/// A fence of the running thread: what came before it is handed on by the thread's next atomics.
/// The thread's later accesses get a new slice.
void passFence();

/// An atomic of the running thread that writes \p address hands on; one that reads takes over what
/// others have handed on there.
void handOn(const void* address);
void takeOver(const void* address);

/// The lanes \p lanes of the warp whose first thread is \p first have met at a __syncwarp(): what one of them has
/// taken over, all have.
void shareTakenOver(int first, unsigned lanes);

/// Whether the running thread has taken over what came up to \p earlier, an access to \p word.
bool isHandedOver(Record earlier, const char* word);

void forgetHandovers();

}  // namespace nbody::executor::checker
