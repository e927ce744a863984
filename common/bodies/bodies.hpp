/// \file
/// N bodies on the host.
#pragma once

#include <string>
#include <vector>

#include "base/double4.hpp"

namespace nbody {

/// Positions, masses and velocities in double precision, for steps of any precision. Units are the scene's, with
/// G = 1.
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
  std::string name;  ///< "disk", or "disk 1" if there are two galaxies
  int first;
  int count;
};

/// Largest number of bodies: indices are int on host and device.
inline constexpr long long kMaxBodies = 1LL << 30;

}  // namespace nbody
