/// \file
/// The centre-of-mass frame.
#pragma once

#include <numbers>

#include "bodies/bodies.hpp"

namespace nbody {

/// Moves the centre of mass to the origin and brings it to rest.
void centre(Bodies& bodies);

/// Adds \p system at \p at, moving with \p moving, its size and its speeds scaled, each body of
/// mass \p mass.
void addScaled(Bodies& bodies,
               const Bodies& system,
               double mass,
               double size,
               double speed,
               Double4 at,
               Double4 moving);

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace nbody
