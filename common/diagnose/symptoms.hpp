/// \file
/// Symptoms of wrong forces, in words for the kernel's author.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// A text about wrong forces, and how much of them is correct.
struct Symptom {
  std::string text;  ///< one line for the kernel's author
  /// Share of the work that is correct, for marks: 1 if one mistake explains all forces, a half if
  /// two do or if sources are missing or repeated. (Not the share of the other sources, because a
  /// second mistake can raise it.) Without an explanation, the share of the bodies whose forces are
  /// within the tolerance: 1 if only their median error is too large. After a race, that of the
  /// forces without it.
  double share = 0;
};

/// Returns one line about \p accelerations that failed the check: which bodies are wrong, and which
/// mistake their forces look like. It names a mistake only if that gives the wrong forces to within
/// rounding, so it never guesses; otherwise the line has only numbers.
/// \param again      computed a second time, to tell a race from a mistake
/// \param tolerance  error that rounding explains; see forceTolerance()
/// \param withoutRace if a race is known, which is the reason: the accelerations without it. Only the share is searched
///                    in them, because a race hides what else is correct or wrong.
Symptom symptomOf(const Bodies& bodies, const std::vector<Double4>& accelerations,
                  const std::vector<Double4>& again, double softening, double tolerance,
                  const std::vector<Double4>& withoutRace = {});

}  // namespace nbody
