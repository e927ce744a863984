/// \file
/// A run that is watched in the browser, with knobs, until it is stopped.
#pragma once

#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

/// Runs for the server at the other end of the pipes of \p options.live until they close. Starts
/// with the options' bodies, or with those that another program left: then the first line is its
/// state. Returns the exit status; throws BadInput.
int runLive(const Program& program, RunOptions& options, SofteningRange range);

}  // namespace nbody
