/// \file
/// Launches that a GPU refuses.
#pragma once

#include "executor/runtime/errors.hpp"
#include "executor/runtime/launch.hpp"

namespace nbody::executor::runtime {

/// Whether the device's model would run a kernel so. If not, that becomes the last error.
bool isLaunchable(const Launch& launch, const Kernel& kernel);

/// Reports variables of the device among a kernel's arguments: host code has no address of theirs.
void checkArguments(const Launch& launch, const Kernel& kernel, const Body& body);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for.
std::size_t dynamicLimitOf(const Kernel& kernel);

/// Bytes of static shared memory of a kernel's blocks, what its functions have left out.
std::size_t staticSharedBytes(const Kernel& kernel);

}  // namespace nbody::executor::runtime
