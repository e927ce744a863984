/// \file
/// The launches and other operations of streams, and which of them are ordered.
#pragma once

#include <memory>

#include "executor/checker/slices.hpp"

namespace nbody::executor::checker {

/// Returns the operation that runs.
const std::shared_ptr<const OperationInfo>& currentOperation();
/// A launch begins: of the operation begun before, or of one that comes after all others.
void beginLaunch(const Grid& grid);
/// All accesses so far come before those to come: the grid has met.
void passBoundary();
/// Tells the calling OS thread's Running of the current operation.
void joinOperation();

}  // namespace nbody::executor::checker
