/// \file
/// The check of a simulation's forces, with a hint at what is wrong.
#pragma once

#include "driver/simulation.hpp"
#include "physics/force_error.hpp"

namespace nbody {

/// Compares the forces that \p simulation has just computed from poisoned accelerations. Where they
/// are wrong, computes them once more for the hint.
ForceError checkForces(Simulation& simulation,
                       double softening,
                       double unitRoundoff,
                       ErrorBound approximation = {});

/// Throws std::runtime_error, naming the first body, where a position or velocity is not finite.
void checkFinite(const Bodies& bodies);

}  // namespace nbody
