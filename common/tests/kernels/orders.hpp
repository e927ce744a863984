/// \file
/// Runs a test in every order of a block's threads that the executor has.
#pragma once

#include <cstdlib>

#ifndef NBODY_GPU
#include "executor/grid.hpp"
#endif
#include "catch.hpp"

namespace nbody {

#ifndef NBODY_GPU
/// Restores the executor's options in its destructor.
struct OwnOptions {
  executor::Options saved = executor::options();
  ~OwnOptions() { executor::options() = saved; }
};
#endif

/// Calls \p test once on a GPU, and on the executor in forward, reverse and two random orders. If
/// NBODY_EXECUTOR_ORDER is set, calls it in that order only.
template <class Test>
void inEveryOrder(Test test) {
#ifdef NBODY_GPU
  test();
#else
  if (std::getenv("NBODY_EXECUTOR_ORDER") != nullptr) return test();
  using executor::Order;
  using Choice = std::tuple<const char*, Order, int>;
  const OwnOptions restored;
  for (const auto& [name, order, seed] :
       {Choice{"forward", Order::forward, 1}, Choice{"reverse", Order::reverse, 1},
        Choice{"random 1", Order::random, 1}, Choice{"random 2", Order::random, 2}}) {
    INFO("order " << name);
    executor::options().order = order;
    executor::options().seed = seed;
    test();
  }
#endif
}

}  // namespace nbody
