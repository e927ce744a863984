/// \file
/// Rank 0 runs the program that every step shares; the other ranks do what it tells them. Its
/// makeStepSimulation() is of all ranks, for rank 0 to use as one.
#pragma once

#include "driver/run_program.hpp"

namespace nbody {

/// What ranks other than 0 do until they are dismissed.
void serve();

/// Ends serve() on all other ranks.
void dismiss();

/// All GPUs as one device; probes rank 0's.
Device probeDevices(bool measure);

}  // namespace nbody
