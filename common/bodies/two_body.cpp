// Scenes of two bodies.
#include <cmath>

#include "bodies/scenes.hpp"

namespace nbody {

/// Two bodies \p separation apart on the x axis with relative speed \p speed along y.
static Bodies makePair(double separation, double speed) {
  constexpr double kHeavy = 0.75;
  constexpr double kLight = 0.25;
  Bodies bodies;
  bodies.add({-kLight * separation, 0, 0, kHeavy}, {0, -kLight * speed, 0, 0});
  bodies.add({kHeavy * separation, 0, 0, kLight}, {0, kHeavy * speed, 0, 0});
  return bodies;
}

Bodies makeTwoBodyCircular(int, std::uint64_t) { return makePair(1, 1); }

Bodies makeTwoBodyEccentric(int, std::uint64_t) {
  constexpr double kEccentricity = 0.5;
  // vis-viva at apocentre: v^2 = (1 - e) / (1 + e)
  return makePair(1 + kEccentricity, std::sqrt((1 - kEccentricity) / (1 + kEccentricity)));
}

}  // namespace nbody
