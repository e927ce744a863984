// Scenes that start at rest and collapse, and those of two bodies.
#include <cmath>

#include "bodies/random.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

Bodies makeCube(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  double mass = 0;
  for (int i = 0; i < count; ++i) {
    Double4 p = {random.uniform(-1, 1),
                 random.uniform(-1, 1),
                 random.uniform(-1, 1),
                 random.uniform(0.5, 1.5)};
    bodies.add(p);
    mass += p.w;
  }
  for (Double4& p : bodies.positions) p.w /= mass;
  return bodies;
}

Bodies makeShell(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  for (int i = 0; i < count; ++i) {
    const Double4 p = random.direction(1);
    bodies.add({p.x, p.y, p.z, 1.0 / count});
  }
  return bodies;
}

Bodies makeCollapse(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.reserve(count);
  while (bodies.count() < count) {
    const Double4 p = {
        random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1.0 / count};
    if (p.x * p.x + p.y * p.y + p.z * p.z <= 1) bodies.add(p);
  }
  return bodies;
}

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
