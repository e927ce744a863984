/// \file
/// A cell's pull to second order in its size, for the device and for the host's own tree code.
#pragma once

#include "cuda/real.hpp"

namespace nbody {

/// A cell's multipoles, as kernels keep them in shared memory.
struct Multipole {
  real4 centre;  ///< x, y, z, mass
  real4 diagonal;  ///< xx, yy, zz of the quadrupole, unused
  real4 rest;  ///< xy, xz, yz, second moment
};

/// The pull of a cell to second order in its size: 42 FLOP.
/// \param r        from the body to the cell's centre of mass
/// \param inverse  D = 1 / sqrt(r^2 + epsilon^2)
///
/// The potential is M D + (r Q r - T epsilon^2) D^5 / 2; T, the second moment, is what softening
/// leaves of the trace. In n = r D no power of D beyond the second occurs, so FP32 cannot overflow
/// where bodies are close.
__host__ __device__ inline real3 quadrupolePull(real3 r,
                                                real inverse,
                                                const Multipole& cell,
                                                real softeningSquared) {
  const real inverseSquared = inverse * inverse;  // [1]
  const real3 n = {r.x * inverse, r.y * inverse, r.z * inverse};  // [3]
  // Q n  [15]
  const real3 q = {cell.diagonal.x * n.x + cell.rest.x * n.y + cell.rest.y * n.z,
                   cell.rest.x * n.x + cell.diagonal.y * n.y + cell.rest.z * n.z,
                   cell.rest.y * n.x + cell.rest.z * n.y + cell.diagonal.z * n.z};
  // n Q n - T epsilon^2 D^2  [8]
  const real second =
      n.x * q.x + n.y * q.y + n.z * q.z - cell.rest.w * (softeningSquared * inverseSquared);
  // M + 5/2 (n Q n - T epsilon^2 D^2) D^2  [3]
  const real along = cell.centre.w + real(2.5) * second * inverseSquared;
  // D^2 (n along - D^2 Q n), D^2 taken in last: [12]
  return {inverseSquared * (along * n.x - inverseSquared * q.x),
          inverseSquared * (along * n.y - inverseSquared * q.y),
          inverseSquared * (along * n.z - inverseSquared * q.z)};
}

}  // namespace nbody
