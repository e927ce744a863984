/// \file
/// How a live run is stopped.
#pragma once

namespace nbody {

/// From now on the first SIGINT or SIGTERM ends the run after its step, a second one the program at
/// once.
void endOnSignals();

bool endAsked();

/// \param how  SIG_BLOCK or SIG_UNBLOCK: a signal that comes while the program changes waits for the
///             next one
void holdSignals(int how);

}  // namespace nbody
