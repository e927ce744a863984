// Two galaxies that meet.
#include <cmath>

#include "bodies/centre.hpp"
#include "bodies/galaxy.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

namespace {

constexpr double kPericentre = 2.5;
constexpr double kSeparation = 20;
constexpr double kInclination = 71;  // of galaxy 2's disk, degrees
constexpr double kArgument = 30;  // of its pericentre, from where it rises through the orbit

/// \p p turned about the x axis, then about the z axis.
Double4 turned(const Double4& p, double aboutX, double aboutZ) {
  const double y = p.y * std::cos(aboutX) - p.z * std::sin(aboutX);
  const double z = p.y * std::sin(aboutX) + p.z * std::cos(aboutX);
  return {p.x * std::cos(aboutZ) - y * std::sin(aboutZ),
          p.x * std::sin(aboutZ) + y * std::cos(aboutZ),
          z,
          p.w};
}

}  // namespace

std::vector<BodyRange> mergerComponents(int count) {
  std::vector<BodyRange> all;
  int first = 0;
  for (int galaxy : {1, 2}) {
    const int bodies = galaxy == 1 ? (count + 1) / 2 : count / 2;
    for (const BodyRange& range : galaxyComponents(bodies))
      all.push_back({range.name + " " + std::to_string(galaxy), first + range.first, range.count});
    first += bodies;
  }
  return all;
}

Bodies makeMerger(int count, std::uint64_t seed) {
  const Bodies one = GalaxyModel::get().draw((count + 1) / 2, seed, 1);
  Bodies two = GalaxyModel::get().draw(count / 2, seed, 2);
  for (auto* vectors : {&two.positions, &two.velocities})
    for (Double4& p : *vectors) p = turned(p, radians(kInclination), -radians(kArgument));

  // Parabola of r = q (1 + D^2) with D the tangent of half the angle from the pericentre, on +x;
  // dD/dt = sqrt(2 q) / (2 q^2 (1 + D^2)).
  const double D = -std::sqrt(kSeparation / kPericentre - 1);
  const double rate = std::sqrt(2 * kPericentre) / (2 * kPericentre * kSeparation);
  const Double4 r = {kPericentre * (1 - D * D), 2 * kPericentre * D, 0, 0};
  const Double4 v = {-2 * kPericentre * D * rate, 2 * kPericentre * rate, 0, 0};
  Bodies bodies;
  bodies.positions.reserve(count);
  bodies.velocities.reserve(count);
  const double mass = 1.0 / count;
  // At half its mass a galaxy of the same size stays in equilibrium with slower bodies.
  const double slower = std::sqrt(0.5);
  addScaled(bodies, one, mass, 1, slower, {-r.x / 2, -r.y / 2, 0, 0}, {-v.x / 2, -v.y / 2, 0, 0});
  addScaled(bodies, two, mass, 1, slower, {r.x / 2, r.y / 2, 0, 0}, {v.x / 2, v.y / 2, 0, 0});
  centre(bodies);
  return bodies;
}

}  // namespace nbody
