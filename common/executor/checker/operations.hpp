/// \file
/// Launches and other operations of streams, and their order.
#pragma once

#include <memory>

#include "executor/checker/slices.hpp"

namespace nbody::executor::checker {

/// Returns the running operation.
const std::shared_ptr<const OperationInfo>& currentOperation();
/// Begins a launch: that of the operation begun before, or one ordered after all others.
void beginLaunch(const Grid& grid);
/// Tells the calling OS thread's Running about the current operation.
void joinOperation();

}  // namespace nbody::executor::checker
