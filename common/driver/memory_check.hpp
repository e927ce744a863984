/// \file
/// Whether a run fits the machine.
#pragma once

#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

/// Throws BadInput where the bodies need more memory of the host or the device than is free.
void checkMemory(const RunOptions& options, const Program& program);

}  // namespace nbody
