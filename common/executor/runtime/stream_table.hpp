/// \file
/// The streams that there are, and what is ordered before what in them.
#pragma once

#include "executor/runtime/operations.hpp"

namespace nbody::executor::runtime {

Stream& legacyStream();
/// Calls \p visit for each stream that waits for the legacy one, as that does for it.
void forEachBlocking(const std::function<void(Stream&)>& visit);

/// Numbers an operation of a stream, and says what is ordered before it.
void setOrder(Operation& operation, Stream& stream);
/// Makes the next work in the stream follow what a clock says, too.
void addToClock(Stream& stream, const VectorClock& clock);
/// Notes that the host has waited for what a clock says (or for a stream, or for all).
void hostWaited(const VectorClock& clock);
void hostWaitedFor(const Stream& stream);
void hostWaitedForAll();

}  // namespace nbody::executor::runtime
