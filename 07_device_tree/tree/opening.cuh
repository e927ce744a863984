/// \file
/// When a group opens a cell: nearer to its centre of mass than
///     max(alone a^(-1/6) + offset, least)
/// with a the mean acceleration that the group's bodies felt in the step before.
#pragma once

#include "lists/walk.cuh"
#include "tree/arrays.cuh"

namespace nbody {

constexpr double kRoundoff = 0.5 * std::numeric_limits<real>::epsilon();  ///< unit roundoff of real

/// With this a theta of 0.5 has about the same 99th percentile of errors by either rule.
constexpr double kFeltReach = 1.5;

/// In units of R, the bodies' root mean square distance from their centre: cells of this size and more
/// are opened as by Opening::distance. Many bodies share their errors, which then do work.
constexpr double kLargeCell = 0.25;

__device__ inline double lengthOf(const double3& v) {
  return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// Of a cell.
struct Reach {
  real alone;  ///< for a group that felt 1; with Opening::distance for any
  real offset;  ///< of the centre of mass from that of the box
  real least;  ///< offset included
};

/// Rounded as step 06's openingDistance(), so that the walk opens every cell that exact arithmetic
/// would.
/// \param size  of the box
__device__ inline Reach reachOf(const TreeArrays& tree,
                                const double3& size,
                                double mass,
                                const double3& centre,
                                double offset) {
  const double side = max(size.x, max(size.y, size.z));
  const double far = side / tree.theta;
  double alone = far, least = 0.5 * lengthOf(size);  // as far as its own corners
  if (tree.opening == Opening::felt && side > 0) {
    alone *= kFeltReach * sqrt(cbrt(mass / (side * side)));
    least = max(least, far * min(1.0, side / (kLargeCell * tree.state->radius)));
  }
  const double largest = max(fabs(centre.x), max(fabs(centre.y), fabs(centre.z)));
  const auto up = [=](double reach) { return reach + 8 * kRoundoff * reach; };
  const double more = 2 * kRoundoff * largest;
  return {real(up(alone)), real(up(offset) + more), real(up(least + offset) + more)};
}

/// What a group's bodies' mean acceleration makes of the reach of cells; 0: nothing felt yet, M / R^2
/// of all bodies.
__device__ inline real easeOf(const TreeArrays& tree, real felt) {
  if (tree.opening != Opening::felt) return 1;
  return rsqrt(cbrt(felt > 0 ? felt : static_cast<real>(tree.state->density)));
}

/// For step 06's walk.
struct OpensByReach {
  const real2* reaches;  ///< of each cell offset and least
  const real* eases;  ///< of each group

  __device__ real ofGroup(int g) const { return eases[g]; }
  __device__ bool opens(const TreeView& tree, const GroupBox& group, real ease, int slot) const {
    real4 cell = tree.centres[slot];
    const real2 more = reaches[slot];
    const real reach = max(cell.w * ease + more.x, more.y);
    cell.w = reach * reach;
    return nbody::opens(group, cell);
  }
};

}  // namespace nbody
