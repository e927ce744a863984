/// \file
/// Symptoms of wrong forces, in words to the kernel's author.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// One line about \p accelerations that failed the check: which bodies are wrong, and which mistake
/// their forces look like. A mistake is named only where it gives the wrong forces to within
/// rounding, so a guess is never printed; where none does, the line has only numbers.
/// \param again      the same computed a second time, to tell a race from a mistake
/// \param tolerance  what rounding explains, as forceTolerance() has it
std::string symptomOf(const Bodies& bodies, const std::vector<Double4>& accelerations,
                      const std::vector<Double4>& again, double softening, double tolerance);

}  // namespace nbody
