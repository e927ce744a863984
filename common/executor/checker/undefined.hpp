/// \file
/// Undefined values: what a thread reads where nothing was written, or gets from a lane that does not
/// take part. That is a mistake only if a result depends on it: if the thread then writes memory, or
/// one does that has got a value from it by a warp function. Until then the finding is a note.
///
/// A thread holds an undefined value to its end: which of its registers do, nobody knows.
#pragma once

#include <string>

#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// The running thread writes memory, or prints: what it holds reaches a result.
void passOnUndefined();

/// The finding that has this bit reaches a result (findings.cpp).
void setReached(Undefined findings);
/// A new finding of a lane that does not take part, or the old one of this line; its bit.
Undefined foundWrongLane(int thread, const std::string& text, const std::string& line);

/// The undefined values that each thread of the calling OS thread's block holds: a block begins, a thread
/// goes on, a thread stops.
void beginUndefined();
void loadUndefined(int thread);
void saveUndefined();

}  // namespace nbody::executor::checker
