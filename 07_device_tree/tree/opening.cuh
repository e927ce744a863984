/// \file
/// Opening radii: how near a cell is opened. moments.cuh stores them for the rule of the walk.
#pragma once

#include "07_device_tree/tree/arrays.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

constexpr double kRoundoff = 0.5 * std::numeric_limits<real>::epsilon();  ///< unit roundoff of real

__device__ inline double lengthOf(const double3& v) {
  return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// Properties of a cell on which its opening radius depends.
struct CellShape {
  double3 size;  ///< size of the tight box
  double mass;
  double3 centre;  ///< centre of mass
  double offset;  ///< s: distance from the middle of the box to the centre of mass

  /// Returns l, the longest side.
  __device__ double side() const { return max(size.x, max(size.y, size.z)); }
  /// Returns half the diagonal. With the offset it reaches the cell's farthest corner.
  __device__ double corner() const { return 0.5 * lengthOf(size); }
  /// Returns how far rounding can move the centre of mass.
  __device__ double centreError() const {
    return 2 * kRoundoff * max(fabs(centre.x), max(fabs(centre.y), fabs(centre.z)));
  }
};

/// Returns \p radius, increased by the possible roundoff.
__device__ inline double roundedUp(double radius) { return radius + 8 * kRoundoff * radius; }

/// Radius for walk::OpensByDistance: l / theta + s, squared. It is rounded as on step 06's host, so
/// that the walk opens every cell that exact arithmetic would.
struct DistanceRadius {
  double theta;

  __device__ real of(int /*index*/, const CellShape& cell) const {
    const double radius = max(cell.side() / theta, cell.corner()) + cell.offset;
    const real rounded = static_cast<real>(roundedUp(radius) + cell.centreError());
    return rounded * rounded;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::tree
