/// \file
/// Moves, rotates and scales systems of bodies.
#pragma once

#include <numbers>

#include "bodies/bodies.hpp"

namespace nbody {

/// Moves the centre of mass of all bodies to the origin, and sets its velocity to 0.
void centre(Bodies& bodies);

/// Rotates \p p about the x axis, and then about the z axis. Angles are in radians.
Double4 turned(const Double4& p, double aboutX, double aboutZ);

/// Adds \p system to \p bodies. Each position is multiplied by \p size, and \p at is added. Each velocity is
/// multiplied by \p speed, and \p moving is added. Each body gets the mass \p mass.
void addScaled(Bodies& bodies, const Bodies& system, double mass, double size, double speed,
               Double4 at, Double4 moving);

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace nbody
