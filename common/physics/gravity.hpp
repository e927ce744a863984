/// \file
/// Plummer-softened gravity for all loops on the host. Kernels have interaction().
#pragma once

#include <cmath>

namespace nbody {

/// Returns 1 / sqrt(r^2 + epsilon^2) for r = (x, y, z). Times -m it is the potential of a mass m there (G = 1).
template <class Real>
inline Real inverseDistance(Real x, Real y, Real z, Real softeningSquared) {
  return 1 / std::sqrt(x * x + y * y + z * z + softeningSquared);
}

/// Returns mass / (r^2 + epsilon^2)^(3/2). Times r it is the pull of that mass (G = 1).
template <class Real>
inline Real pullFactor(Real mass, Real x, Real y, Real z, Real softeningSquared) {
  const Real inverse = inverseDistance(x, y, z, softeningSquared);
  return mass * inverse * inverse * inverse;
}

}  // namespace nbody
