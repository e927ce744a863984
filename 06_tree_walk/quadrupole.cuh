/// \file
/// A cell's pull to second order in its size, on the device and in the host's tree code.
#pragma once

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// A cell's multipoles in shared memory, as quadrupolePull() needs them. zz is subtracted from the
/// quadrupole, because the pull of a multiple of the unit matrix needs only the distance.
struct Multipole {
  real4 centre;  ///< x, y, z, mass
  real4 diagonal;  ///< per mass: xx - zz, yy - zz of the quadrupole, 3/2 zz; unused
  real4 rest;  ///< per mass: xy, xz, yz, -(T + zz) epsilon^2 with the second moment T
};

/// \param centre    x, y, z, mass
/// \param diagonal  xx, yy, zz of the quadrupole per mass
/// \param rest      per mass: xy, xz, yz, second moment
__device__ inline Multipole multipoleOf(real4 centre,
                                        real4 diagonal,
                                        real4 rest,
                                        real softeningSquared) {
  const real zz = diagonal.z;
  return {centre,
          {diagonal.x - zz, diagonal.y - zz, real(1.5) * zz, 0},
          {rest.x, rest.y, rest.z, -(rest.w + zz) * softeningSquared}};
}

/// Returns the pull of a cell to second order in its size: 39 FLOP.
/// \param r        from the body to the cell's centre of mass
/// \param inverse  D = 1 / sqrt(r^2 + epsilon^2)
///
/// The potential is M D + (r Q r - T epsilon^2) D^5 / 2. T, the second moment, is the part of the
/// trace that softening leaves. With Q' = Q - zz, all per mass, the pull is
///     M D^3 ((1 + D^2 (3/2 zz + 5/2 D^2 (r Q' r - (T + zz) epsilon^2))) r - D^2 Q' r).
/// No power of D above the second occurs without the mass or a moment, so FP32 neither overflows
/// for close bodies nor underflows for far ones. On an H200 this costs step 07's walk 2.5%.
__host__ __device__ inline real3 quadrupolePull(real3 r, real inverse, const Multipole& cell) {
  const real squared = inverse * inverse;  // [1]
  // D^2 Q' r  [16]
  const real3 q = {squared * (cell.diagonal.x * r.x + cell.rest.x * r.y + cell.rest.y * r.z),
                   squared * (cell.rest.x * r.x + cell.diagonal.y * r.y + cell.rest.z * r.z),
                   squared * (cell.rest.y * r.x + cell.rest.z * r.y)};
  // D^2 (r Q' r - (T + zz) epsilon^2)  [7]
  const real second = squared * cell.rest.w + r.x * q.x + r.y * q.y + r.z * q.z;
  const real along = 1 + squared * (cell.diagonal.z + real(2.5) * second);  // [4]
  const real s = (cell.centre.w * inverse) * squared;  // [2]
  return {s * (along * r.x - q.x), s * (along * r.y - q.y), s * (along * r.z - q.z)};  // [9]
}

}  // namespace nbody::inline NBODY_PRECISION::walk
