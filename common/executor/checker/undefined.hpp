/// \file
/// Undefined values. A thread gets one if it reads memory that was never written, or if a shuffle reads
/// a lane that does not take part. This is a mistake only if a result depends on the value: if the thread
/// later writes memory, or passes a value to a thread that does. Until then the finding is only a note.
///
/// The checker cannot track registers, so it assumes that a thread keeps the value until the thread ends.
#pragma once

#include <string>

#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

/// Turns these findings from notes into mistakes, because they have reached a result. Each bit is a finding.
void setReached(Undefined findings);
/// Adds a finding: a thread reads a lane that does not take part. Returns its bit. A line has only one finding.
Undefined foundWrongLane(int thread, const std::string& text, const std::string& line);

/// Returns the findings of an undefined value that a thread has stored in memory; 0: none is known.
Undefined storedIn(const void* address);

/// Returns whether a word has the bits of a local variable that was never written.
bool hasPattern(const void* memory, std::size_t bytes);

/// The OS thread that runs a block keeps the undefined values of each CUDA thread.
/// Call these functions when a block begins, when a thread continues, and when it stops.
void beginUndefined();
void loadUndefined(int thread);
void saveUndefined();

}  // namespace nbody::executor::checker
