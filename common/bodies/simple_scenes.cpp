// Scenes that start at rest and collapse, those of two bodies, and those of Plummer spheres.
#include <cmath>
#include <numbers>

#include "base/parallel.hpp"
#include "bodies/centre.hpp"
#include "bodies/drawing.hpp"
#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

static constexpr int kManyBodies = 16384;  // are worth another thread

void centre(Bodies& bodies, int first, int end) {
  Double4 position = {0, 0, 0, 0};
  Double4 velocity = {0, 0, 0, 0};
  for (int i = first; i < end; ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    position = plus(position, {p.w * p.x, p.w * p.y, p.w * p.z, p.w});
    velocity = plus(velocity, times(p.w, v));
  }
  const double mass = position.w;
  parallelForEach(end - first, kManyBodies, [&](int k) {
    Double4 &p = bodies.positions[first + k], &v = bodies.velocities[first + k];
    p = {p.x - position.x / mass, p.y - position.y / mass, p.z - position.z / mass, p.w};
    v = {v.x - velocity.x / mass, v.y - velocity.y / mass, v.z - velocity.z / mass, 0};
  });
}

Double4 turned(const Double4& p, double aboutX, double aboutZ) {
  const double y = p.y * std::cos(aboutX) - p.z * std::sin(aboutX);
  const double z = p.y * std::sin(aboutX) + p.z * std::cos(aboutX);
  return {p.x * std::cos(aboutZ) - y * std::sin(aboutZ),
          p.x * std::sin(aboutZ) + y * std::cos(aboutZ), z, p.w};
}

void place(Bodies& bodies, int first, int end, double mass, double size, double speed, Double4 at,
           Double4 moving) {
  parallelForEach(end - first, kManyBodies, [&](int k) {
    Double4 &p = bodies.positions[first + k], &v = bodies.velocities[first + k];
    p = {at.x + size * p.x, at.y + size * p.y, at.z + size * p.z, mass};
    v = {moving.x + speed * v.x, moving.y + speed * v.y, moving.z + speed * v.z, 0};
  });
}

Bodies makeCube(int count, std::uint64_t seed) {
  Bodies bodies = bodiesAtRest(count);
  drawInOrder(bodies, seed, [](Random& random, Double4& p, Double4&) {
    p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
         random.uniform(0.5, 1.5)};
  });
  double mass = 0;
  for (const Double4& p : bodies.positions) mass += p.w;
  parallelForEach(count, kManyBodies, [&](int i) { bodies.positions[i].w /= mass; });
  return bodies;
}

Bodies makeShell(int count, std::uint64_t seed) {
  Bodies bodies = bodiesAtRest(count);
  drawInOrder(bodies, seed, [mass = 1.0 / count](Random& random, Double4& p, Double4&) {
    p = random.direction(1);
    p.w = mass;
  });
  return bodies;
}

Bodies makeCollapse(int count, std::uint64_t seed) {
  Bodies bodies = bodiesAtRest(count);
  drawInOrder(bodies, seed, [mass = 1.0 / count](Random& random, Double4& p, Double4&) {
    do p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), mass};
    while (!(p.x * p.x + p.y * p.y + p.z * p.z <= 1));
  });
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

/// Draws a speed over escape speed, from the density q^2 (1 - q^2)^(7/2) by rejection: the maximum is 0.092.
static double speedRatio(Random& random) {
  for (;;) {
    const double q = random.uniform();
    const double level = 0.1 * random.uniform();
    const double f = 1 - q * q;
    if (level < q * q * f * f * f * std::sqrt(f)) return q;
  }
}

/// Draws a body of a Plummer sphere of total mass 1 in N-body units; its mass is left out.
static void drawPlummer(Random& random, Double4& position, Double4& velocity) {
  constexpr double kLength = 3 * std::numbers::pi / 16;  // makes the total energy -1/4
  const double kSpeed = 1 / std::sqrt(kLength);
  constexpr double kMassFraction = 0.999;
  double enclosed = 0;
  while (enclosed == 0)
    enclosed = kMassFraction * random.uniform();  // 0 would be at the very centre
  const double root = std::cbrt(enclosed);
  const double r = root / std::sqrt(1 - root * root);  // (m^(-2/3) - 1)^(-1/2)
  const double escape = std::sqrt(2 / std::sqrt(1 + r * r));
  position = random.direction(kLength * r);
  const double ratio = speedRatio(random);
  velocity = random.direction(kSpeed * ratio * escape);
}

/// Gives the bodies from \p first to \p end the mass 1 in all, and moves their centre of mass to the origin, at rest.
static void finishSphere(Bodies& bodies, int first, int end) {
  const double mass = 1.0 / (end - first);
  parallelForEach(end - first, kManyBodies, [&](int k) { bodies.positions[first + k].w = mass; });
  centre(bodies, first, end);
}

Bodies makePlummer(int count, std::uint64_t seed) {
  Bodies bodies = bodiesAtRest(count);
  drawInOrder(bodies, seed, drawPlummer);
  finishSphere(bodies, 0, count);
  return bodies;
}

Bodies makeCollision(int count, std::uint64_t seed) {
  constexpr double kSeparation = 4;
  constexpr double kPericentre = 0.5;
  // Parabolic: v^2 = 2 / r, and the angular momentum is that of the pericentre, sqrt(2
  // kPericentre).
  const double across = std::sqrt(2 * kPericentre) / kSeparation;
  const double inwards = std::sqrt(2 / kSeparation - across * across);
  const int half = (count + 1) / 2;
  Bodies bodies = bodiesAtRest(count);
  drawInOrder(bodies, seed, drawPlummer);
  finishSphere(bodies, 0, half);
  finishSphere(bodies, half, count);
  const double mass = 1.0 / count;
  const Double4 at = {kSeparation / 2, 0, 0, 0};
  const Double4 moving = {inwards / 2, across / 2, 0, 0};
  // At half its mass and half its size a sphere keeps its speeds.
  place(bodies, 0, half, mass, 0.5, 1, {-at.x, 0, 0, 0}, {moving.x, -moving.y, 0, 0});
  place(bodies, half, count, mass, 0.5, 1, at, {-moving.x, moving.y, 0, 0});
  centre(bodies, 0, count);
  return bodies;
}

std::vector<BodyRange> collisionComponents(int count) {
  const int first = (count + 1) / 2;
  return {{"sphere 1", 0, first}, {"sphere 2", first, count - first}};
}

}  // namespace nbody
