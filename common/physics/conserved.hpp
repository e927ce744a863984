/// \file
/// Energy and momentum, which an isolated system of bodies keeps.
#pragma once

#include <optional>

#include "bodies/bodies.hpp"

namespace nbody {

/// In FP64; w of the vectors is 0. Units of the scene.
struct Conserved {
  double kinetic;
  double potential;  ///< with the softened potential -m_i m_j / sqrt(r^2 + epsilon^2)
  Double4 momentum;  ///< linear
  double speedScale;  ///< sum of m |v|, with which the momentum is compared

  double energy() const { return kinetic + potential; }
};

/// Up to this many bodies a run computes the potential; beyond, the host would need minutes.
inline constexpr int kMostForEnergy = 65536;

/// How far \p now is from what was kept at the start.
struct Drift {
  double momentum;  ///< change, over the sum of m |v|
  std::optional<double> energy;  ///< relative change; nothing if a potential was not computed
};
Drift driftOf(const Conserved& start, const Conserved& now);

/// All of the above; the potential costs count^2 / 2 interactions.
Conserved conservedQuantities(const Bodies& bodies, double softening);

/// Does conservedQuantities() with a potential of NaN: cheap at any count.
Conserved conservedMomenta(const Bodies& bodies);

/// Does conservedQuantities() for up to kMostForEnergy bodies, otherwise conservedMomenta().
Conserved conservedBy(const Bodies& bodies, double softening);

}  // namespace nbody
