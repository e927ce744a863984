#include "bodies/centre.hpp"

namespace nbody {

void centre(Bodies& bodies) {
  Double4 position = {0, 0, 0, 0};
  Double4 velocity = {0, 0, 0, 0};
  for (int i = 0; i < bodies.count(); ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    position = {
        position.x + p.w * p.x, position.y + p.w * p.y, position.z + p.w * p.z, position.w + p.w};
    velocity = {velocity.x + p.w * v.x, velocity.y + p.w * v.y, velocity.z + p.w * v.z, 0};
  }
  double mass = position.w;
  for (Double4& p : bodies.positions)
    p = {p.x - position.x / mass, p.y - position.y / mass, p.z - position.z / mass, p.w};
  for (Double4& v : bodies.velocities)
    v = {v.x - velocity.x / mass, v.y - velocity.y / mass, v.z - velocity.z / mass, 0};
}

void addScaled(Bodies& bodies,
               const Bodies& system,
               double mass,
               double size,
               double speed,
               Double4 at,
               Double4 moving) {
  for (int i = 0; i < system.count(); ++i) {
    const Double4& p = system.positions[i];
    const Double4& v = system.velocities[i];
    bodies.add({at.x + size * p.x, at.y + size * p.y, at.z + size * p.z, mass},
               {moving.x + speed * v.x, moving.y + speed * v.y, moving.z + speed * v.z, 0});
  }
}

}  // namespace nbody
