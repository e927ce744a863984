/// \file
/// The pull of one body on another.
#pragma once

#include "cuda/cuda.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Adds the pull of body j to the acceleration of body i (listing 31-1), 20 FLOP as the chapter
/// counts. Bodies are x, y, z, mass. A body's pull on itself is 0, because softeningSquared is
/// above 0.
__device__ inline real3 interaction(real4 bodyI,
                                    real4 bodyJ,
                                    real3 acceleration,
                                    real softeningSquared) {
  // r_ij  [3 FLOP]
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  // |r_ij|^2 + epsilon^2  [6 FLOP]. Epsilon first: the sum is then three fused multiply-adds.
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
  // m_j / distance^3  [5 FLOP]. The listing takes the root of the sixth power; cubing the root
  // cannot overflow for close bodies. The products in brackets do not wait for each other.
  const real inverse = rsqrt(distanceSquared);
  const real s = (bodyJ.w * inverse) * (inverse * inverse);
  // a_i + s r_ij  [6 FLOP]
  return {acceleration.x + s * r.x, acceleration.y + s * r.y, acceleration.z + s * r.z};
}

}  // namespace nbody::inline NBODY_PRECISION::walk
