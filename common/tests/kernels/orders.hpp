/// \file
/// Runs a test in every order in which the executor can take a block's threads.
#pragma once

#ifndef NBODY_GPU
#include "executor/grid.hpp"
#endif
#include "catch.hpp"

namespace nbody {

/// Calls \p test once on a GPU; on the executor in forward, reverse and two random orders.
template <class Test>
void inEveryOrder(Test test) {
#ifdef NBODY_GPU
  test();
#else
  using executor::Order;
  executor::Options& options = executor::options();
  const executor::Options saved = options;
  struct Choice {
    Order order;
    int seed;
    const char* name;
  };
  for (Choice choice : {Choice{Order::forward, 1, "forward"},
                        Choice{Order::reverse, 1, "reverse"},
                        Choice{Order::random, 1, "random 1"},
                        Choice{Order::random, 2, "random 2"}}) {
    INFO("order " << choice.name);
    options.order = choice.order;
    options.seed = choice.seed;
    test();
  }
  options = saved;
#endif
}

}  // namespace nbody
