/// \file
/// Bodies for tests of large files.
#pragma once

#include "bodies/bodies.hpp"
#include "bodies/random.hpp"

namespace nbody {

/// \p count bodies whose numbers have as many digits as those of a run in single precision.
inline Bodies manyBodies(int count) {
  Random random(1);
  Bodies bodies;
  bodies.positions.reserve(count);
  bodies.velocities.reserve(count);
  const auto number = [&] {
    return static_cast<double>(static_cast<float>(random.uniform(-1, 1)));
  };
  for (int i = 0; i < count; ++i)
    bodies.add({number(), number(), number(), 1.0 / count}, {number(), number(), number(), 0});
  return bodies;
}

}  // namespace nbody
