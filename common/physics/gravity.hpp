/// \file
/// Plummer-softened gravity, as all loops of the host have it. Kernels have interaction().
#pragma once

#include <cmath>

namespace nbody {

/// 1 / sqrt(r^2 + epsilon^2) for r = (x, y, z): times -m, the potential of a mass m there.
template <class Real>
inline Real inverseDistance(Real x, Real y, Real z, Real softeningSquared) {
  return 1 / std::sqrt(x * x + y * y + z * z + softeningSquared);
}

/// mass / (r^2 + epsilon^2)^(3/2): times r, the pull of that mass.
template <class Real>
inline Real pullFactor(Real mass, Real x, Real y, Real z, Real softeningSquared) {
  const Real inverse = inverseDistance(x, y, z, softeningSquared);
  return mass * inverse * inverse * inverse;
}

}  // namespace nbody
