/// \file
/// Boxes, centres of mass, opening radii and moments of the cells: leaves first, then nodes from
/// the deepest level up.
#pragma once

#include "07_device_tree/tree/opening.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

constexpr int kTeam = 8;  ///< lanes that share a cell, one per possible child
constexpr int kNodeBlock = 128;  ///< threads of nodeMomentsKernel

/// Writes a cell's properties.
/// \param s       sums about \p origin
/// \param radius  gives the opening radius: DistanceRadius, or a class like it
template <class Radius>
__device__ inline void setCell(const Moments& to,
                               int cell,
                               const CellSums& s,
                               double3 origin,
                               const Radius& radius) {
  const real3 low = s.box.lower, high = s.box.upper;
  const double3 size = {double{high.x} - low.x, double{high.y} - low.y, double{high.z} - low.z};
  const double3 middle = {low.x + 0.5 * size.x, low.y + 0.5 * size.y, low.z + 0.5 * size.z};
  const double perMass = s.mass > 0 ? 1 / s.mass : 0;
  const double x = perMass * s.x, y = perMass * s.y, z = perMass * s.z;
  const double3 centre = s.mass > 0 ? double3{origin.x + x, origin.y + y, origin.z + z} : middle;
  const double offset = lengthOf({centre.x - middle.x, centre.y - middle.y, centre.z - middle.z});
  // Moments about the centre of mass (parallel-axis theorem).
  const double xx = perMass * s.xx - x * x, yy = perMass * s.yy - y * y;
  const double zz = perMass * s.zz - z * z, second = xx + yy + zz;
  to.boxes[cell] = s.box;
  const real opened = radius.of(cell, {size, s.mass, centre, offset});
  to.centres[cell] = {real(centre.x), real(centre.y), real(centre.z), opened};
  real4* moments = to.moments + momentsOf(cell);
  moments[0] = {real(3 * xx - second), real(3 * yy - second), real(3 * zz - second), real(s.mass)};
  moments[1] = {real(3 * (perMass * s.xy - x * y)),
                real(3 * (perMass * s.xz - x * z)),
                real(3 * (perMass * s.yz - y * z)),
                real(second)};
}

/// Returns a child's moments, shifted to \p origin (parallel-axis theorem).
__device__ inline CellSums sumsOfCell(const Moments& of, int cell, const double3& origin) {
  const real4 c = of.centres[cell];
  const real4 q = of.moments[momentsOf(cell)];
  const real4 rest = of.moments[momentsOf(cell) + 1];
  CellSums s = sumsOf(of.boxes[cell], q.w, c.x - origin.x, c.y - origin.y, c.z - origin.z);
  const double third = s.mass / 3;
  s.xx += third * (double{q.x} + rest.w);
  s.yy += third * (double{q.y} + rest.w);
  s.zz += third * (double{q.z} + rest.w);
  s.xy += third * rest.x;
  s.xz += third * rest.y;
  s.yz += third * rest.z;
  return s;
}

/// A team of lanes for each leaf adds up its bodies.
template <class Radius>
__global__ void leafMomentsKernel(SortedBodies sorted,
                                  Cells cells,
                                  Moments moments,
                                  Radius radius) {
  const int leaves = cells.state->leaves;
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int c = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; c < leaves; c += teams) {
    const int first = cells.leafFirst[c];
    const int end = cells.leafFirst[c + 1];
    const real4 near = sorted.bodies[first];  // an origin near the bodies keeps rounding small
    const double3 origin = {near.x, near.y, near.z};
    CellSums s = noSums();
    for (int i = first + threadIdx.x % kTeam; i < end; i += kTeam) {
      const real4 b = sorted.bodies[i];
      s = s + sumsOf(boundsOf(b), b.w, b.x - origin.x, b.y - origin.y, b.z - origin.z);
    }
    s = sumOverLanes<kTeam>(s);
    if (threadIdx.x % kTeam == 0) setCell(moments, cells.leafCell[c], s, origin, radius);
  }
}

/// A team of lanes for each node at \p level adds up its children, one per lane. Launches go from
/// the deepest level up, because a node needs its children first. Each launch looks at all nodes,
/// which costs little compared with the walk; sorting them by level would cost more.
template <class Radius>
__global__ void nodeMomentsKernel(SortedBodies sorted,
                                  Cells cells,
                                  Moments moments,
                                  Radius radius,
                                  int level) {
  const int nodes = cells.state->nodes;
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int n = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; n < nodes; n += teams) {
    const int2 node = cells.nodeCell[n];
    if (node.y != level) continue;  // the whole team skips it
    const real4 near = sorted.bodies[cells.secondChild[n]];  // one of the node's bodies
    const double3 origin = {near.x, near.y, near.z};
    const int child = childIndex(firstLinkWord(n), threadIdx.x % kTeam);
    const bool have = links(cells)[child] != kNoChild;
    const CellSums s = sumOverLanes<kTeam>(have ? sumsOfCell(moments, child, origin) : noSums());
    if (threadIdx.x % kTeam == 0) setCell(moments, node.x, s, origin, radius);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tree
