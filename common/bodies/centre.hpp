/// \file
/// Makes room for bodies; moves, rotates and scales them.
#pragma once

#include <numbers>

#include "base/zeros.hpp"
#include "bodies/bodies.hpp"

namespace nbody {

/// Returns \p count bodies of mass 0, all at the origin.
inline Bodies bodiesAtRest(int count) { return {zeros<Double4>(count), zeros<Double4>(count)}; }

/// Moves the centre of mass of the bodies from \p first to \p end (without it) to the origin, and sets its velocity
/// to 0.
void centre(Bodies& bodies, int first, int end);

/// Rotates \p p about the x axis, and then about the z axis. Angles are in radians.
Double4 turned(const Double4& p, double aboutX, double aboutZ);

/// Changes the bodies from \p first to \p end (without it). Each position is multiplied by \p size, and \p at is added.
/// Each velocity is multiplied by \p speed, and \p moving is added. Each body gets the mass \p mass.
void place(Bodies& bodies, int first, int end, double mass, double size, double speed, Double4 at,
           Double4 moving);

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

}  // namespace nbody
