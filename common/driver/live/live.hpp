/// \file
/// A run that is watched: in the browser, with knobs, until it is stopped.
#pragma once

#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

/// Serves the run of \p options.live. Returns the exit status once SIGINT or SIGTERM came; throws
/// BadInput.
int runLive(const Program& program, const RunOptions& options);

}  // namespace nbody
