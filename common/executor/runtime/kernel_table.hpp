/// \file
/// The kernels whose addresses the program has taken.
#pragma once

#include "executor/runtime/launch.hpp"

namespace nbody::executor::runtime {

/// What is known of the kernel at an address; null for what is no kernel.
Kernel* kernelAt(const void* address);

/// Of a block.
int mostThreadsOf(const Kernel& kernel);

constexpr int kRegistersPerThread = 32;  // a GPU's compiler would say; enough for full occupancy

}  // namespace nbody::executor::runtime
