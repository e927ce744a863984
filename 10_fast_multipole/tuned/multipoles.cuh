/// \file
/// Multipoles of the cells: leaves from their bodies (P2M), nodes from their children (M2M).
#pragma once

#include "07_device_tree/tree/moments.cuh"
#include "10_fast_multipole/tuned/memory.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using tree::boundsOf;
using tree::kNodeBlock;
using tree::kTeam;
using tree::noBounds;
using tree::sumOverLanes;
using tree::teamOfLanes;

/// rho = w * largest distance + (1 - w) * root mean square distance, with this w. In measurements, the
/// error of a cell that acts as a whole follows rho better than either distance. In a source heavy
/// bodies count more. In a target all bodies count alike. So of the mean by mass and the mean by
/// number, the larger one is used.
constexpr real kRadiusWeight = 0.2;

/// Mass, sums of m r and of the previous accelerations, and box. FP64, because this is little work.
struct BodySums {
  Bounds box;
  double mass, x, y, z, previousAcceleration;
  int bodies;
  int unused;  // sumOverLanes() wants whole words

  __device__ BodySums operator+(const BodySums& s) const {
    return {box + s.box,
            mass + s.mass,
            x + s.x,
            y + s.y,
            z + s.z,
            previousAcceleration + s.previousAcceleration,
            bodies + s.bodies,
            0};
  }

  /// Returns the centre of mass, or the centre of the box if there is no mass.
  __device__ real3 centre() const {
    if (mass > 0) return {real(x / mass), real(y / mass), real(z / mass)};
    return {real(0.5) * (box.lower.x + box.upper.x),
            real(0.5) * (box.lower.y + box.upper.y),
            real(0.5) * (box.lower.z + box.upper.z)};
  }
};

__device__ inline BodySums noBodies() { return {noBounds(), 0, 0, 0, 0, 0, 0, 0}; }

/// Returns the distance from \p c to the farthest corner of \p box.
__device__ inline real farthestCorner(const Bounds& box, real3 c) {
  const real x = max(box.upper.x - c.x, c.x - box.lower.x);
  const real y = max(box.upper.y - c.y, c.y - box.lower.y);
  const real z = max(box.upper.z - c.z, c.z - box.lower.z);
  return sqrt(x * x + y * y + z * z);
}

/// Returns Expansions::offsets of \p n bodies from another centre. From it, theirs is at (x, y, z).
__device__ inline real4 shifted(real4 o, real n, real x, real y, real z) {
  return {o.x + n * x,
          o.y + n * y,
          o.z + n * z,
          o.w + 2 * (x * o.x + y * o.y + z * o.z) + n * (x * x + y * y + z * z)};
}

/// Adds up the values of the lanes of a team, and writes \p cell.
/// \param all      sums of the cell, in each lane
/// \param radius   the lane's largest distance from the centre
/// \param offsets  the lane's part of Expansions::offsets
/// \param m        the lane's multipoles from order 2 on
template <int P>
__device__ inline void setCell(const Tree& tree,
                               const Expansions& f,
                               int cell,
                               const BodySums& all,
                               real3 centre,
                               real radius,
                               real4 offsets,
                               real* m) {
  constexpr int kEnd = componentsBelow(kStoredOrder<P> + 1);
  const unsigned team = teamOfLanes<kTeam>();
  for (int step = kTeam / 2; step > 0; step /= 2) {
    radius = max(radius, __shfl_xor_sync(team, radius, step));
    offsets.x += __shfl_xor_sync(team, offsets.x, step);
    offsets.y += __shfl_xor_sync(team, offsets.y, step);
    offsets.z += __shfl_xor_sync(team, offsets.z, step);
    offsets.w += __shfl_xor_sync(team, offsets.w, step);
    unrolled<4, kEnd>([&](auto p) { m[p] += __shfl_xor_sync(team, m[p], step); });
  }
  if (threadIdx.x % kTeam != 0) return;
  const real mass = static_cast<real>(all.mass), unit = f.units[cell];
  radius = max(min(radius, farthestCorner(all.box, centre)), kLeastRadius * unit);
  const real second = 2 * (m[placeOf(2, 0, 0)] + m[placeOf(0, 2, 0)] + m[placeOf(0, 0, 2)]);
  const real square = max(mass > 0 ? second / mass : 0, offsets.w / all.bodies);
  const real rms = unit * sqrt(max(square, real{0}));
  tree.moments.boxes[cell] = all.box;
  f.centres[cell] = {centre.x, centre.y, centre.z, radius};
  f.summaries[cell] = {kRadiusWeight * radius + (1 - kRadiusWeight) * rms,
                       mass,
                       real(all.previousAcceleration / all.bodies),
                       links(tree.cells)[cell]};
  f.offsets[cell] = offsets;
  real4* multipole =
      reinterpret_cast<real4*>(f.multipoles + std::size_t(cell) * kMultipoleReals<P>);
  multipole[0] = {centre.x, centre.y, centre.z, mass};
  unrolled<1, kMultipoleReals<P> / 4>([&](auto q) {
    const auto at = [&](int k) { return k < kEnd ? m[k] : 0; };
    multipole[q] = {at(4 * q), at(4 * q + 1), at(4 * q + 2), at(4 * q + 3)};
  });
}

/// Adds up the bodies of leaf \p leaf.
template <int P>
__device__ inline void setLeaf(const Tree& tree, const Expansions& f, int leaf, int cell) {
  const Cells& cells = tree.cells;
  const int begin = cells.leafFirst[leaf] + threadIdx.x % kTeam, end = cells.leafFirst[leaf + 1];
  BodySums sums = noBodies();
  for (int i = begin; i < end; i += kTeam) {
    const real4 b = tree.sorted.bodies[i];
    const double m = b.w, last = f.previousAcceleration[tree.sorted.order[i]];
    const double previousAcceleration = last > 0 ? last : f.spread->density;
    sums = sums + BodySums{boundsOf(b), m, m * b.x, m * b.y, m * b.z, previousAcceleration, 1, 0};
  }
  sums = sumOverLanes<kTeam>(sums);
  const real3 centre = sums.centre();
  const real unit = f.units[cell], perUnit = 1 / unit;
  real m[componentsBelow(kStoredOrder<P> + 1)] = {}, farthest = 0;
  real4 offsets = {0, 0, 0, 0};
  for (int i = begin; i < end; i += kTeam) {
    const real4 b = tree.sorted.bodies[i];
    const real x = (b.x - centre.x) * perUnit, y = (b.y - centre.y) * perUnit,
               z = (b.z - centre.z) * perUnit;
    p2m<kStoredOrder<P> + 1>(b.w, x, y, z, m);
    const real square = x * x + y * y + z * z;
    farthest = max(farthest, square);
    offsets = {offsets.x + x, offsets.y + y, offsets.z + z, offsets.w + square};
  }
  setCell<P>(tree, f, cell, sums, centre, unit * sqrt(farthest), offsets, m);
}

/// Adds up the children of the node \p cell, one per lane.
/// \param have  whether the lane has a child
template <int P>
__device__ inline void setNode(const Tree& tree,
                               const Expansions& f,
                               int cell,
                               int child,
                               bool have) {
  constexpr int kOrder = kStoredOrder<P>, kEnd = componentsBelow(kOrder + 1);
  const Cells& cells = tree.cells;
  BodySums sums = noBodies();
  real4 c = {0, 0, 0, 0};
  if (have) {
    c = f.centres[child];
    const CellSummary s = f.summaries[child];
    const int bodies = cells.ranges[child].y;
    const double m = s.mass;
    sums = {tree.moments.boxes[child],
            m,
            m * c.x,
            m * c.y,
            m * c.z,
            double{s.previousAcceleration} * bodies,
            bodies,
            0};
  } else {
    f.summaries[child] = {0, 0, 0, kNoChild};
    f.centres[child] = c;
  }
  sums = sumOverLanes<kTeam>(sums);
  const real3 centre = sums.centre();
  real m[kEnd] = {}, radius = 0;
  real4 offsets = {0, 0, 0, 0};
  if (have) {
    const real perUnit = 1 / f.units[cell], ratio = f.units[child] * perUnit;
    const real x = c.x - centre.x, y = c.y - centre.y, z = c.z - centre.z;
    const real4* multipole =
        reinterpret_cast<const real4*>(f.multipoles + std::size_t(child) * kMultipoleReals<P>);
    real part[kMultipoleReals<P>];
    part[0] = multipole[0].w;
    unrolled<1, kMultipoleReals<P> / 4>([&](auto q) {
      const real4 v = multipole[q];
      part[4 * q] = v.x, part[4 * q + 1] = v.y, part[4 * q + 2] = v.z, part[4 * q + 3] = v.w;
    });
    rescale<kOrder, 4, kEnd>(ratio, part);
    m2m<kOrder + 1>(x * perUnit, y * perUnit, z * perUnit, part, m);
    radius = c.w + sqrt(x * x + y * y + z * z);
    const real4 o = f.offsets[child];
    offsets = shifted({o.x * ratio, o.y * ratio, o.z * ratio, o.w * ratio * ratio},
                      real(cells.ranges[child].y),
                      x * perUnit,
                      y * perUnit,
                      z * perUnit);
  }
  setCell<P>(tree, f, cell, sums, centre, radius, offsets, m);
}

/// P2M: a team of lanes per leaf.
template <int P>
__global__ void p2mKernel(Tree tree, Expansions f) {
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int leaf = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; leaf < tree.cells.state->leaves;
       leaf += teams)
    setLeaf<P>(tree, f, leaf, tree.cells.leafCell[leaf]);
}

/// M2M: a team of lanes per node begins with the nodes that have only leaves, which are ready. The
/// team that completes a node's last child node goes on with the node. No team waits for another.
/// \param arrivals  per node, 0 at the start: how many of its child nodes are ready
template <int P>
__global__ void __launch_bounds__(kNodeBlock) m2mKernel(Tree tree, Expansions f, int* arrivals) {
  const Cells& cells = tree.cells;
  const int teams = gridDim.x * blockDim.x / kTeam, lane = threadIdx.x % kTeam;
  const unsigned team = teamOfLanes<kTeam>();
  for (int n = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; n < cells.state->nodes;
       n += teams) {
    bool begins = true;
    for (int node = n; node >= 0;) {
      const int child = childIndex(firstLinkWord(node), lane), link = links(cells)[child];
      const int childNodes =
          __popc(__ballot_sync(team, link != kNoChild && link != kLeafChild) & team);
      if (begins) {
        if (childNodes > 0) break;  // its last child node brings another team
        begins = false;
      } else {
        __threadfence();  // the child is written, by any lane, before it is counted
        __syncwarp(team);
        int ready = 0;
        if (lane == 0) ready = atomicAdd(&arrivals[node], 1) + 1;
        ready = __shfl_sync(team, ready, 0, kTeam);
        if (ready < childNodes) break;
        __threadfence();  // the other children are read, by any lane, after they were counted
        __syncwarp(team);
      }
      const int cell = cells.nodeCell[node].x;
      setNode<P>(tree, f, cell, child, link != kNoChild);
      node = cell / 8 - 1;
    }
    __syncwarp(team);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
