/// \file
/// Runs a lambda as a kernel, without a translator.
#pragma once

#include "executor/grid.hpp"
#include "executor/language/language.hpp"
#include "orders.hpp"

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

/// Does so in every order, and checks that nothing was added to the argument of \p body: a number of
/// wrong results.
template <class Body>
void checkInKernel(dim3 blocks, dim3 threads, const Body& body, bool cooperative = false) {
  inEveryOrder([&] {
    int wrong = 0;
    inKernel(
        blocks, threads, [&] { body(wrong); }, cooperative);
    CHECK(wrong == 0);
  });
}

}  // namespace nbody
