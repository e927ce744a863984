/// \file
/// Whether host code waits for the device, which a run that is right does not show.
#pragma once

#include <cstdint>

namespace nbody {

/// How often it has waited so far, or has seen that work is over; always 0 on a GPU.
std::uint64_t hostWaits();

}  // namespace nbody
