/// \file
/// Boxes, centres of mass, opening distances and moments of the cells: leaves first, then nodes from
/// the deepest level up.
#pragma once

#include "hilbert.cuh"
#include "tree/arrays.cuh"

namespace nbody {

constexpr double kRoundoff = 0.5 * std::numeric_limits<real>::epsilon();  ///< unit roundoff of real
constexpr int kTeam = 8;  ///< lanes that share a cell: as many as it can have children

/// How many times as long as its distances of equal error Opening::felt may choose its own. With this
/// a theta of 0.5 has about the same 99th percentile by either rule.
constexpr double kFeltReach = 1.6;

__device__ inline double lengthOf(double x, double y, double z) {
  return sqrt(x * x + y * y + z * z);
}

/// How near to its centre of mass the group that felt most opens a cell: step 06's openingReach().
/// Opening::felt multiplies l / theta by (m / (l^2 a))^(1/6), a what that group felt: the less a cell
/// can pull of what a group feels, the nearer it may be.
__device__ inline double openingReach(const TreeArrays& tree,
                                      const double3& size,
                                      double mass,
                                      double offset) {
  const double side = max(size.x, max(size.y, size.z));
  double bound = side / tree.theta;
  if (tree.opening == Opening::felt && side > 0) {
    const float strongest = __int_as_float(tree.state->strongest);
    bound *= kFeltReach * sqrtf(cbrtf(static_cast<float>(mass / (side * side * strongest))));
  }
  return max(bound, 0.5 * lengthOf(size.x, size.y, size.z)) + offset;
}

/// As step 06's openingDistance(): rounded so that the walk opens every cell that exact arithmetic
/// would.
__device__ inline real roundedUp(double reach, const double3& centre) {
  const double largest = max(fabs(centre.x), max(fabs(centre.y), fabs(centre.z)));
  return static_cast<real>(reach + kRoundoff * (8 * reach + 2 * largest));
}

/// Writes down a cell.
/// \param s       about \p origin
__device__ inline void setCell(const TreeArrays& tree, int slot, const Sums& s, double3 origin) {
  const real3 low = s.box.lower, high = s.box.upper;
  const double3 size = {double{high.x} - low.x, double{high.y} - low.y, double{high.z} - low.z};
  const double3 middle = {low.x + 0.5 * size.x, low.y + 0.5 * size.y, low.z + 0.5 * size.z};
  const double perMass = s.mass > 0 ? 1 / s.mass : 0;
  const double x = perMass * s.x, y = perMass * s.y, z = perMass * s.z;
  const double3 centre = s.mass > 0 ? double3{origin.x + x, origin.y + y, origin.z + z} : middle;
  const double offset = lengthOf(centre.x - middle.x, centre.y - middle.y, centre.z - middle.z);
  const real distance = roundedUp(openingReach(tree, size, s.mass, offset), centre);
  // About the centre of mass: the parallel-axis theorem.
  const double xx = perMass * s.xx - x * x, yy = perMass * s.yy - y * y;
  const double zz = perMass * s.zz - z * z, second = xx + yy + zz;
  tree.boxes[slot] = s.box;
  tree.centres[slot] = {real(centre.x), real(centre.y), real(centre.z), distance * distance};
  real4* moments = tree.moments + momentsOf(slot);
  moments[0] = {real(3 * xx - second), real(3 * yy - second), real(3 * zz - second), real(s.mass)};
  moments[1] = {real(3 * (perMass * s.xy - x * y)),
                real(3 * (perMass * s.xz - x * z)),
                real(3 * (perMass * s.yz - y * z)),
                real(second)};
}

/// The sums of a child, its own and those of its mass in one point, about \p origin.
__device__ inline Sums sumsOfCell(const TreeArrays& tree, int slot, const double3& origin) {
  const real4 c = tree.centres[slot];
  const real4 q = tree.moments[momentsOf(slot)];
  const real4 rest = tree.moments[momentsOf(slot) + 1];
  Sums s = sumsOf(tree.boxes[slot], q.w, c.x - origin.x, c.y - origin.y, c.z - origin.z);
  const double third = s.mass / 3;
  s.xx += third * (double{q.x} + rest.w);
  s.yy += third * (double{q.y} + rest.w);
  s.zz += third * (double{q.z} + rest.w);
  s.xy += third * rest.x;
  s.xz += third * rest.y;
  s.yz += third * rest.z;
  return s;
}

/// A team for each leaf adds up its bodies.
static __global__ void leavesKernel(TreeArrays tree) {
  const int leaves = tree.state->leaves;
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int c = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; c < leaves; c += teams) {
    const int first = tree.leafFirst[c];
    const int end = tree.leafFirst[c + 1];
    const double3 origin = {tree.bodies[first].x, tree.bodies[first].y, tree.bodies[first].z};
    Sums s = noSums();
    for (int i = first + threadIdx.x % kTeam; i < end; i += kTeam) {
      const real4 b = tree.bodies[i];
      s = s + sumsOf(boundsOf(b), b.w, b.x - origin.x, b.y - origin.y, b.z - origin.z);
    }
    s = sumOverLanes<kTeam>(s);
    if (threadIdx.x % kTeam == 0) setCell(tree, tree.leafSlot[c], s, origin);
  }
}

/// A team for each node at \p level adds up its children, one a lane. To be run from the deepest level
/// up.
static __global__ void nodesKernel(TreeArrays tree, int level) {
  const int nodes = tree.state->nodes;
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int n = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; n < nodes; n += teams) {
    const int2 node = tree.nodeSlot[n];
    if (node.y != level) continue;  // the whole team
    const real4 near = tree.bodies[tree.nodeGap[n]];  // one of the node's own
    const double3 origin = {near.x, near.y, near.z};
    const int child = slotOf(wordOf(n), threadIdx.x % kTeam);
    const bool have = linksOf(tree)[child] != kNoChild;
    const Sums s = sumOverLanes<kTeam>(have ? sumsOfCell(tree, child, origin) : noSums());
    if (threadIdx.x % kTeam == 0) setCell(tree, node.x, s, origin);
  }
}

}  // namespace nbody
