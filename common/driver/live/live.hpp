/// \file
/// Runs a simulation that is watched and changed in the browser until it is stopped.
#pragma once

#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

/// Runs for the server at the other end of the pipes of \p options.live until they close. Starts
/// with the options' bodies, or with those that another program left; in that case the first line
/// is its state. Returns the exit status. Throws BadInput.
int runLive(const Program& program, RunOptions& options, SofteningRange range);

}  // namespace nbody
