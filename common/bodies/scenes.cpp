#include "bodies/scenes.hpp"

#include <cmath>
#include <numbers>

#include "bodies/random.hpp"
#include "program/bad_input.hpp"

namespace nbody {

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = {
      {"plummer", "Plummer sphere in equilibrium, N-body units", 0, 0.01, 1.0 / 1024, makePlummer},
      {"cube", "uniform cube of side 2 at rest, unequal masses, total mass 1", 0, 0.01, 1.0 / 1024,
       makeCube},
      {"two-body", "circular orbit of separation 1, period 2 pi", 2, 1e-5, 1.0 / 1024,
       makeTwoBodyCircular},
      {"two-body-eccentric", "orbit of eccentricity 0.5, semi-major axis 1, period 2 pi", 2, 1e-5,
       1.0 / 1024, makeTwoBodyEccentric},
  };
  return all;
}

const Scene& sceneNamed(const std::string& name) {
  std::string known;
  for (const Scene& scene : scenes()) {
    if (scene.name == name) return scene;
    known += (known.empty() ? "" : ", ") + scene.name;
  }
  throw BadInput("unknown scene '" + name + "'; there are " + known);
}

/// Moves the centre of mass to the origin and brings it to rest.
static void centre(Bodies& bodies) {
  Double4 position = {0, 0, 0, 0};
  Double4 velocity = {0, 0, 0, 0};
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    position = {position.x + p.w * p.x, position.y + p.w * p.y, position.z + p.w * p.z,
                position.w + p.w};
    velocity = {velocity.x + p.w * v.x, velocity.y + p.w * v.y, velocity.z + p.w * v.z, 0};
  }
  double mass = position.w;
  for (Double4& p : bodies.positions)
    p = {p.x - position.x / mass, p.y - position.y / mass, p.z - position.z / mass, p.w};
  for (Double4& v : bodies.velocities)
    v = {v.x - velocity.x / mass, v.y - velocity.y / mass, v.z - velocity.z / mass, 0};
}

Bodies makeCube(int count, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  double mass = 0;
  for (int i = 0; i < count; ++i) {
    Double4 p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                 random.uniform(0.5, 1.5)};
    bodies.add(p, {0, 0, 0, 0});
    mass += p.w;
  }
  for (Double4& p : bodies.positions) p.w /= mass;
  return bodies;
}

/// Speed over escape speed, from the density q^2 (1 - q^2)^(7/2) by rejection; its maximum is 0.092.
static double speedRatio(Random& random) {
  for (;;) {
    double q = random.uniform();
    double y = 0.1 * random.uniform();
    double f = 1 - q * q;
    if (y < q * q * f * f * f * std::sqrt(f)) return q;
  }
}

Bodies makePlummer(int count, std::uint64_t seed) {
  constexpr double kLength = 3 * std::numbers::pi / 16;  // makes the total energy -1/4
  const double kSpeed = 1 / std::sqrt(kLength);
  constexpr double kMassFraction = 0.999;
  Random random(seed);
  Bodies bodies;
  for (int i = 0; i < count; ++i) {
    double enclosed = kMassFraction * random.uniform();
    while (enclosed == 0) enclosed = kMassFraction * random.uniform();  // would be at the very centre
    double root = std::cbrt(enclosed);
    double r = root / std::sqrt(1 - root * root);  // (m^(-2/3) - 1)^(-1/2)
    Double4 p = random.direction(kLength * r);
    double escape = std::sqrt(2 / std::sqrt(1 + r * r));
    Double4 v = random.direction(kSpeed * speedRatio(random) * escape);
    bodies.add({p.x, p.y, p.z, 1.0 / count}, v);
  }
  centre(bodies);
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
