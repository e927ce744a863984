/// \file
/// Energy and momentum, which an isolated system of bodies keeps.
#pragma once

#include <optional>

#include "bodies/bodies.hpp"

namespace nbody {

/// Conserved quantities in FP64, in the scene's units with G = 1. w of the vectors is 0.
struct Conserved {
  double kinetic;
  double potential;  ///< with the softened potential -m_i m_j / sqrt(r^2 + epsilon^2)
  Double4 momentum;  ///< linear
  double speedScale;  ///< sum of m |v|, with which the momentum is compared

  double energy() const { return kinetic + potential; }
};

/// Largest numbers of bodies for which the potential is computed, on the host and on a GPU. It takes 16 cores and an H200
/// less than a second.
inline constexpr int kMostForEnergy = 65536, kMostForDeviceEnergy = 1048576;

/// Changes of the conserved quantities since the start.
struct Drift {
  double momentum;  ///< change, over the sum of m |v|
  std::optional<double> energy;  ///< relative change; nothing if a potential was not computed
};

/// Returns the changes from \p start to \p now.
Drift driftOf(const Conserved& start, const Conserved& now);

/// Computes all conserved quantities. The potential costs count^2 / 2 interactions; it is NaN for more bodies than
/// kMostForEnergy or, if a GPU computes it, kMostForDeviceEnergy.
Conserved conservedQuantities(const Bodies& bodies, double softening);

/// Does conservedQuantities() with a potential of NaN: cheap at any count.
Conserved conservedMomenta(const Bodies& bodies);

}  // namespace nbody
