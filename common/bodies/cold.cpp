// Scenes that start at rest and collapse.
#include <cmath>

#include "bodies/random.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

Bodies makeCube(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
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
  for (int i = 0; i < count; ++i) {
    const Double4 p = random.direction(1);
    bodies.add({p.x, p.y, p.z, 1.0 / count});
  }
  return bodies;
}

Bodies makeCollapse(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  while (bodies.count() < count) {
    const Double4 p = {
        random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1.0 / count};
    if (p.x * p.x + p.y * p.y + p.z * p.z <= 1) bodies.add(p);
  }
  return bodies;
}

}  // namespace nbody
