/// \file
/// Which mistake explains wrong forces.
#pragma once

#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Forces that failed the check, on a sample of the bodies.
struct WrongForces {
  const Bodies& bodies;
  double softening;
  double tolerance;  ///< what rounding explains, as forceTolerance() has it
  std::vector<int> sample;  ///< indices of bodies, rising
  std::vector<Double4> computed;  ///< accelerations of the sample, finite
  std::vector<Double4> reference;  ///< the same in FP64; in w the sum of the terms' lengths
};

/// The mistake that gives the forces at \p places of the sample to within rounding; empty where
/// none of those known does. Tried are: a constant factor, in all components or in each; all
/// bodies as one; another law; sources left out or counted several times; wrong pulls of one side
/// of the diagonal of tiles or within them; lanes of a warp mixed up; the forces of other bodies.
std::string mistakeIn(const WrongForces& forces, const std::vector<int>& places);

}  // namespace nbody
