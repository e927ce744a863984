/// \file
/// N bodies on the host.
#pragma once

#include <string>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// Positions, masses and velocities in double precision, whatever precision a step computes in.
/// Units are the scene's; G = 1 in all of them.
struct Bodies {
  std::vector<Double4> positions;  ///< x, y, z, mass; length count()
  std::vector<Double4> velocities;  ///< x, y, z, 0; length count()

  int count() const { return static_cast<int>(positions.size()); }

  void reserve(int count) {
    positions.reserve(count);
    velocities.reserve(count);
  }

  void add(Double4 position, Double4 velocity = {0, 0, 0, 0}) {
    positions.push_back(position);
    velocities.push_back(velocity);
  }
};

/// Bodies of one kind, which follow each other in memory.
struct BodyRange {
  std::string name;  ///< "disk"; of two galaxies "disk 1"
  int first;
  int count;
};

/// Indices into a body's arrays are int on host and device.
inline constexpr long long kMaxBodies = 1LL << 30;

}  // namespace nbody
