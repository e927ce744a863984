/// \file
/// What step 05 takes where its user asks for nothing.
#pragma once

#include <algorithm>

#include "cuda/launch.hpp"
#include "cuda/multiprocessors.hpp"
#include "driver/choices.hpp"

namespace nbody {

constexpr int kPairBlock = 64;

/// `--block`: two warps at most, for their sums of a tile commute and those of three would not: an
/// ordered reduction repeats.
inline Parameter pairBlockParameter() {
  return {"block", "threads per block", kPairBlock, {32, 64}, "32 or 64"};
}

/// Bodies a thread: the most that leave each multiprocessor 14 tiles of the triangle and more,
/// swept on an H200.
inline int pairBodies(int count, const Parameters&) {
  for (int held : {8, 4, 2}) {
    const long long tiles = blocksFor(count, kPairBlock * held);
    if (tiles * (tiles + 1) / 2 >= 14LL * multiprocessors()) return held;
  }
  return 1;
}

/// `--equal-masses`: used where all masses are equal, which is found when the bodies are known.
inline Parameter equalMassesParameter() {
  Parameter parameter =
      wordParameter("equal-masses", "leave equal masses out of the loop", {"used", "ignored"});
  parameter.settle = [](const Bodies& bodies, int value) {
    const double mass = bodies.positions[0].w;
    const bool equal = std::all_of(bodies.positions.begin(),
                                   bodies.positions.end(),
                                   [&](const Double4& body) { return body.w == mass; });
    return equal ? value : 2;
  };
  return parameter;
}

/// `--stored-mib`: memory for the sums that an ordered reduction stores. The order, and so every
/// bit, is the same whatever it is.
inline Parameter storedMemoryParameter() {
  return memoryParameter("stored-mib", "memory for the sums of an ordered reduction, in MiB");
}

}  // namespace nbody
