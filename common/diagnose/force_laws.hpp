/// \file
/// The law of gravity, and the laws that mistakes in interaction() make of it.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// A body i feels from a body j the pull mass * r / d^power, where d^2 = r^2 + softeningSquared.
struct ForceLaw {
  enum class Mass { source, target, both, none, squared, sum, root, inverse };

  double softeningSquared;
  int power = 3;
  Mass mass = Mass::source;
  double weights[3] = {1, 1, 1};  ///< of the squares of r's components in r^2
  double sign = 1;  ///< of r
  bool isAbsolute = false;  ///< r's components have no signs
  double shift = 0;  ///< that is added to each component of r
  double own = 1;  ///< how many times the place of i is taken from that of j
  /// Description of forces by this law, in words; empty for the correct law.
  std::string symptom = {};
};

/// The laws that wrong forces are compared with.
std::vector<ForceLaw> mistakenLaws(double softening);

/// The pull of body \p j on body \p i, in w its length.
Double4 pullBy(const ForceLaw& law, const Double4& bodyI, const Double4& bodyJ);

/// Accelerations in double precision of the bodies in \p targets; in w the sum of the lengths of
/// their terms.
std::vector<Double4> accelerationsBy(const ForceLaw& law, const Bodies& bodies,
                                     const std::vector<int>& targets);

}  // namespace nbody
