/// \file
/// The opening criterion of the walks on the device and on the host.
#pragma once

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Returns the larger value. On the host std::fmax() would be a call; this is one instruction.
template <class Real>
__host__ __device__ inline Real larger(Real a, Real b) {
#ifdef __CUDA_ARCH__
  return max(a, b);
#else
  return a > b ? a : b;
#endif
}

/// Returns whether \p cell is too near to the box of \p group to act as a whole: d <= l / theta + s.
/// \param cell  x, y, z of the centre of mass, (l / theta + s)^2
template <class Group, class Cell>
__host__ __device__ inline bool opens(const Group& group, const Cell& cell) {
  using Real = decltype(cell.w);
  const Real x = larger(larger(group.lower.x - cell.x, cell.x - group.upper.x), Real(0));
  const Real y = larger(larger(group.lower.y - cell.y, cell.y - group.upper.y), Real(0));
  const Real z = larger(larger(group.lower.z - cell.z, cell.z - group.upper.z), Real(0));
  // Equality opens too, because with bodies at one point both sides may be 0.
  return x * x + y * y + z * z <= cell.w;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
