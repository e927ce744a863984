// Scenes of Plummer spheres.
#include <cmath>
#include <numbers>

#include "bodies/centre.hpp"
#include "bodies/random.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

/// Speed over escape speed, from the density q^2 (1 - q^2)^(7/2) by rejection; its maximum is
/// 0.092.
static double speedRatio(Random& random) {
  for (;;) {
    double q = random.uniform();
    double y = 0.1 * random.uniform();
    double f = 1 - q * q;
    if (y < q * q * f * f * f * std::sqrt(f)) return q;
  }
}

/// A Plummer sphere of \p count bodies and total mass 1 in N-body units, its centre of mass at
/// rest.
static Bodies plummerSphere(int count, Random& random) {
  constexpr double kLength = 3 * std::numbers::pi / 16;  // makes the total energy -1/4
  const double kSpeed = 1 / std::sqrt(kLength);
  constexpr double kMassFraction = 0.999;
  Bodies bodies;
  for (int i = 0; i < count; ++i) {
    double enclosed = kMassFraction * random.uniform();
    while (enclosed == 0)
      enclosed = kMassFraction * random.uniform();  // would be at the very centre
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

Bodies makePlummer(int count, std::uint64_t seed) {
  Random random(seed);
  return plummerSphere(count, random);
}

/// Adds \p sphere at half its mass and half its size, which leaves its speeds as they are.
static void addHalf(Bodies& bodies, const Bodies& sphere, double mass, Double4 at, Double4 moving) {
  for (int i = 0; i < sphere.count(); ++i) {
    const Double4& p = sphere.positions[i];
    const Double4& v = sphere.velocities[i];
    bodies.add({at.x + p.x / 2, at.y + p.y / 2, at.z + p.z / 2, mass},
               {moving.x + v.x, moving.y + v.y, moving.z + v.z, 0});
  }
}

Bodies makeCollision(int count, std::uint64_t seed) {
  constexpr double kSeparation = 4;
  constexpr double kPericentre = 0.5;
  // Parabolic: v^2 = 2 / r, and the angular momentum is that of the pericentre, sqrt(2
  // kPericentre).
  const double across = std::sqrt(2 * kPericentre) / kSeparation;
  const double inwards = std::sqrt(2 / kSeparation - across * across);
  Random random(seed);
  const Bodies left = plummerSphere((count + 1) / 2, random);
  const Bodies right = plummerSphere(count / 2, random);
  Bodies bodies;
  addHalf(bodies, left, 1.0 / count, {-kSeparation / 2, 0, 0, 0}, {inwards / 2, -across / 2, 0, 0});
  addHalf(bodies, right, 1.0 / count, {kSeparation / 2, 0, 0, 0}, {-inwards / 2, across / 2, 0, 0});
  centre(bodies);
  return bodies;
}

std::vector<BodyRange> collisionComponents(int count) {
  const int first = (count + 1) / 2;
  return {{"sphere 1", 0, first}, {"sphere 2", first, count - first}};
}

}  // namespace nbody
