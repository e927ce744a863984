/// \file
/// Symptoms of wrong forces, in words for the kernel's author.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Returns one line about \p accelerations that failed the check: which bodies are wrong, and which
/// mistake their forces look like. It names a mistake only if that gives the wrong forces to within
/// rounding, so it never guesses; otherwise the line has only numbers.
/// \param again      computed a second time, to tell a race from a mistake
/// \param tolerance  error that rounding explains; see forceTolerance()
std::string symptomOf(const Bodies& bodies, const std::vector<Double4>& accelerations,
                      const std::vector<Double4>& again, double softening, double tolerance);

}  // namespace nbody
