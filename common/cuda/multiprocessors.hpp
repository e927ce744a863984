/// \file
/// The size of the device.
#pragma once

namespace nbody {

/// Multiprocessors of the GPU in use; on the executor 8, those of a small GPU, whatever the CPU is.
int multiprocessors();

}  // namespace nbody
