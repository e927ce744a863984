/// \file
/// The centre-of-mass frame, and systems of bodies turned and moved.
#pragma once

#include <numbers>

#include "bodies/bodies.hpp"

namespace nbody {

/// Moves the centre of mass to the origin and brings it to rest.
void centre(Bodies& bodies);

/// Returns \p p turned about the x axis, then about the z axis; angles in radians.
Double4 turned(const Double4& p, double aboutX, double aboutZ);

/// Adds \p system to \p bodies: lengths times \p size and velocities times \p speed, then moved by \p at and
/// \p moving. Each body gets the mass \p mass.
void addScaled(Bodies& bodies, const Bodies& system, double mass, double size, double speed,
               Double4 at, Double4 moving);

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace nbody
