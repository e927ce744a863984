/// \file
/// Rank 0 runs the program that every step shares. Its makeStepSimulation() is of all ranks, for it
/// to use as one.
#pragma once

#include "driver/simulation.hpp"
#include "measure/device.hpp"

namespace nbody {

/// All GPUs as one device; probes rank 0's.
Device probeDevices(bool measure);

}  // namespace nbody
