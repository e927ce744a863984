/// \file
/// A loop over all cores of the host.
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

namespace nbody {

/// Calls body(begin, end) on each core for its share of [0, count), in pieces of at least \p
/// smallest.
template <class Body>
void parallelFor(int count, int smallest, Body body) {
  int cores = std::max(1u, std::thread::hardware_concurrency());
  int pieces = std::clamp(count / std::max(1, smallest), 1, cores);
  auto bound = [=](int piece) {
    return static_cast<int>(static_cast<long long>(count) * piece / pieces);
  };
  std::vector<std::jthread> threads;
  for (int piece = 1; piece < pieces; ++piece)
    threads.emplace_back([=] { body(bound(piece), bound(piece + 1)); });
  body(0, bound(1));
}

}  // namespace nbody
