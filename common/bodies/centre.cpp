#include "bodies/centre.hpp"

#include <cmath>

#include "bodies/vectors.hpp"

namespace nbody {

void centre(Bodies& bodies) {
  Double4 position = {0, 0, 0, 0};
  Double4 velocity = {0, 0, 0, 0};
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    position = plus(position, {p.w * p.x, p.w * p.y, p.w * p.z, p.w});
    velocity = plus(velocity, times(p.w, v));
  }
  double mass = position.w;
  for (Double4& p : bodies.positions)
    p = {p.x - position.x / mass, p.y - position.y / mass, p.z - position.z / mass, p.w};
  for (Double4& v : bodies.velocities)
    v = {v.x - velocity.x / mass, v.y - velocity.y / mass, v.z - velocity.z / mass, 0};
}

Double4 turned(const Double4& p, double aboutX, double aboutZ) {
  const double y = p.y * std::cos(aboutX) - p.z * std::sin(aboutX);
  const double z = p.y * std::sin(aboutX) + p.z * std::cos(aboutX);
  return {p.x * std::cos(aboutZ) - y * std::sin(aboutZ),
          p.x * std::sin(aboutZ) + y * std::cos(aboutZ), z, p.w};
}

void addScaled(Bodies& bodies, const Bodies& system, double mass, double size, double speed,
               Double4 at, Double4 moving) {
  for (int i = 0; i < system.count(); ++i) {
    const Double4& p = system.positions[i];
    const Double4& v = system.velocities[i];
    bodies.add({at.x + size * p.x, at.y + size * p.y, at.z + size * p.z, mass},
               {moving.x + speed * v.x, moving.y + speed * v.y, moving.z + speed * v.z, 0});
  }
}

}  // namespace nbody
