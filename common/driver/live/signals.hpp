/// \file
/// How a live run is stopped.
#pragma once

namespace nbody {

/// From now on the first SIGINT or SIGTERM ends the run after its step, a second one the program at
/// once.
void endOnSignals();

bool endAsked();

}  // namespace nbody
