/// \file
/// The law of gravity, and the laws that result from mistakes in interaction().
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Law of the pull of j on i: mass * r / d^power, where d^2 = r^2 + softeningSquared.
struct ForceLaw {
  enum class Mass { source, target, both, none, squared, sum, root, inverse };

  double softeningSquared = 0;
  int power = 3;
  Mass mass = Mass::source;
  double weights[3] = {1, 1, 1};  ///< weights of the squares of r's components in r^2
  double sign = 1;  ///< sign of r
  bool isAbsolute = false;  ///< r's components have no signs
  double shift = 0;  ///< added to each component of r
  double own = 1;  ///< factor on the position of i, which is subtracted from that of j
  /// Description of forces with this law; empty for the correct law.
  std::string symptom = {};
};

/// Returns the laws with which wrong forces are compared.
std::vector<ForceLaw> mistakenLaws(double softening);

/// Returns the pull of body \p j on body \p i, with its length in w.
Double4 pullBy(const ForceLaw& law, const Double4& bodyI, const Double4& bodyJ);

/// Returns the accelerations of the bodies in \p targets in FP64, with the sum of the lengths of
/// their terms in w. \p sources: null if the bodies pull each other.
std::vector<Double4> accelerationsBy(const ForceLaw& law, const Bodies& bodies,
                                     const std::vector<int>& targets,
                                     const Bodies* sources = nullptr);

}  // namespace nbody
