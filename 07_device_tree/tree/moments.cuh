/// \file
/// Boxes, centres of mass, opening distances and moments of the cells: leaves first, then nodes from
/// the deepest level up.
#pragma once

#include "tree/opening.cuh"

namespace nbody {

constexpr int kTeam = 8;  ///< lanes that share a cell: as many as it can have children

/// Writes down a cell.
/// \param s       about \p origin
__device__ inline void setCell(const TreeArrays& tree,
                               int slot,
                               const CellSums& s,
                               double3 origin) {
  const real3 low = s.box.lower, high = s.box.upper;
  const double3 size = {double{high.x} - low.x, double{high.y} - low.y, double{high.z} - low.z};
  const double3 middle = {low.x + 0.5 * size.x, low.y + 0.5 * size.y, low.z + 0.5 * size.z};
  const double perMass = s.mass > 0 ? 1 / s.mass : 0;
  const double x = perMass * s.x, y = perMass * s.y, z = perMass * s.z;
  const double3 centre = s.mass > 0 ? double3{origin.x + x, origin.y + y, origin.z + z} : middle;
  const double offset = lengthOf({centre.x - middle.x, centre.y - middle.y, centre.z - middle.z});
  const Reach reach = reachOf(tree, size, s.mass, centre, offset);
  // About the centre of mass: the parallel-axis theorem.
  const double xx = perMass * s.xx - x * x, yy = perMass * s.yy - y * y;
  const double zz = perMass * s.zz - z * z, second = xx + yy + zz;
  tree.boxes[slot] = s.box;
  tree.centres[slot] = {real(centre.x), real(centre.y), real(centre.z), reach.alone};
  tree.reaches[slot] = {reach.offset, reach.least};
  real4* moments = tree.moments + momentsOf(slot);
  moments[0] = {real(3 * xx - second), real(3 * yy - second), real(3 * zz - second), real(s.mass)};
  moments[1] = {real(3 * (perMass * s.xy - x * y)),
                real(3 * (perMass * s.xz - x * z)),
                real(3 * (perMass * s.yz - y * z)),
                real(second)};
}

/// The sums of a child, its own and those of its mass in one point, about \p origin.
__device__ inline CellSums sumsOfCell(const TreeArrays& tree, int slot, const double3& origin) {
  const real4 c = tree.centres[slot];
  const real4 q = tree.moments[momentsOf(slot)];
  const real4 rest = tree.moments[momentsOf(slot) + 1];
  CellSums s = sumsOf(tree.boxes[slot], q.w, c.x - origin.x, c.y - origin.y, c.z - origin.z);
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
    CellSums s = noSums();
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
    const CellSums s = sumOverLanes<kTeam>(have ? sumsOfCell(tree, child, origin) : noSums());
    if (threadIdx.x % kTeam == 0) setCell(tree, node.x, s, origin);
  }
}

}  // namespace nbody
