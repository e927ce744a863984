/// \file
/// Runs a lambda as a kernel, without a translator.
#pragma once

#include "executor/grid.hpp"
#include "executor/language/language.hpp"

namespace nbody {

/// Calls \p body once for each CUDA thread of the grid.
template <class Body>
void inKernel(dim3 blocks, dim3 threads, const Body& body, bool cooperative = false) {
  executor::Grid grid = {
      blocks,   threads,  0,
      __FILE__, __LINE__, [](const void* kernel) { (*static_cast<const Body*>(kernel))(); },
      &body};
  grid.cooperative = cooperative;
  executor::runGrid(grid);
}

}  // namespace nbody
