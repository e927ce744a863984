/// \file
/// Launches whose threads may wait for the whole grid.
#pragma once

#include <exception>

#include "executor/grid.hpp"

namespace nbody::executor {

/// Runs all blocks of \p grid in turns on \p osThreads OS threads, each until it waits for the
/// grid. Returns the error that ended them, if any.
std::exception_ptr runCooperative(const Grid& grid, int osThreads);

}  // namespace nbody::executor
