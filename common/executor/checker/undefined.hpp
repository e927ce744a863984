/// \file
/// Undefined values: what a thread reads from unwritten memory, or gets from a lane that does not
/// take part. This is a mistake only if a result depends on it: if the thread then writes memory,
/// or passes a value to a thread that does. Until then the finding is a note.
///
/// A thread holds an undefined value until it ends, because its registers cannot be tracked.
#pragma once

#include <string>

#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Reports that the running thread writes memory or prints: undefined values reach a result.
void passOnUndefined();

/// Reports that findings with these bits reach a result (findings.cpp).
void setReached(Undefined findings);
/// Returns the bit of the finding of a lane that does not take part, the old one for this line.
Undefined foundWrongLane(int thread, const std::string& text, const std::string& line);

/// Keep the undefined values of each thread of the calling OS thread's block: call them when a
/// block begins, a thread continues, or a thread stops.
void beginUndefined();
void loadUndefined(int thread);
void saveUndefined();

}  // namespace nbody::executor::checker
