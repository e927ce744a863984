/// \file
/// Rank 0 runs the program that every step shares; the other ranks do what it tells them.
#pragma once

#include <memory>

#include "driver/run_program.hpp"
#include "options.hpp"

namespace nbody {

/// A simulation on all ranks, for rank 0 to use as one.
std::unique_ptr<Simulation> makeRankSimulation(int count, double softening, const Options& options);

/// What ranks other than 0 do until they are dismissed.
void serve();

/// Ends serve() on all other ranks.
void dismiss();

/// All GPUs as one device; probes rank 0's.
Device probeDevices(bool measure);

}  // namespace nbody
