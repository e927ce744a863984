/// \file
/// Sums everything that acts on the bodies of a bundle: bodies of near leaves (P2P), quadrupoles of
/// cells (M2P), and the bundle's local expansion (L2P). Four teams of eight lanes hold all of its
/// bodies, up to six in each lane, and each team sums every fourth source.
#pragma once

#include "06_tree_walk/interaction.cuh"
#include "10_fast_multipole/tuned/targets.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using walk::interaction;

constexpr int kNearWarps = 4;  ///< warps of a block
constexpr int kNearBlocks = 5;  ///< blocks per multiprocessor, as many as registers allow
constexpr int kTeamLanes = 8, kTeams = kLanes / kTeamLanes;
constexpr int kMostOfLane = (kMostBundle + kTeamLanes - 1) / kTeamLanes;  ///< bodies in a lane

/// Units in which cells act on bodies. All cells have the same, so that a lane converts its bodies
/// once. The length is a power of two, which keeps differences of coordinates exact.
struct PointUnits {
  real perLength;  ///< about one divided by the side of the root cube
  real perMass;  ///< one divided by the mass of all bodies

  __device__ explicit PointUnits(const Expansions& f)
      : perLength(ldexp(real{1}, -ilogb(f.units[0]))),
        perMass(f.summaries[0].mass > 0 ? 1 / f.summaries[0].mass : 1) {}
};

/// A cell that acts on bodies, in PointUnits.
struct alignas(16) Quadrupole {
  real4 centre;  ///< centre of mass, and mass
  real xx, xy, xz, yy, yz, zz;  ///< 6 M_xx, 3 M_xy, ...
  real trace;  ///< 3 (M_xx + M_yy + M_zz)
  real unused;
};

/// Returns the quadrupole of the cell with index \p cell.
template <int P>
__device__ inline Quadrupole quadrupoleOf(const Expansions& f, int cell, PointUnits units) {
  const real4* multipole =
      reinterpret_cast<const real4*>(f.multipoles + std::size_t(cell) * kMultipoleReals<P>);
  const real4 c = multipole[0], m = multipole[1], n = multipole[2];  // centre, xx xy xz yy, yz zz
  const real unit = f.units[cell] * units.perLength, factor = 3 * unit * unit * units.perMass;
  return {
      {c.x * units.perLength, c.y * units.perLength, c.z * units.perLength, c.w * units.perMass},
      2 * factor * m.x,
      factor * m.y,
      factor * m.z,
      2 * factor * m.w,
      factor * n.x,
      2 * factor * n.y,
      factor * (m.x + m.w + n.y),
      0};
}

/// A warp's shared memory.
struct NearMemory {
  real4 bodies[2 * kLanes];  ///< sources, and at the end the sums
  Quadrupole cells[kLanes];
};

/// The bodies of a lane, and the sums of what acts on them.
struct LaneBodies {
  int perLane;  ///< how many there are
  real x[kMostOfLane], y[kMostOfLane], z[kMostOfLane];
  real3 acceleration[kMostOfLane];

  /// Changes the unit of accelerations, and of lengths.
  __device__ void convert(real perAcceleration, real perLength) {
#pragma unroll
    for (int t = 0; t < kMostOfLane; ++t) {
      x[t] *= perLength, y[t] *= perLength, z[t] *= perLength;
      real3& a = acceleration[t];
      a = {a.x * perAcceleration, a.y * perAcceleration, a.z * perAcceleration};
    }
  }

  /// Adds the pull of a body to the acceleration of body \p t (P2P).
  __device__ __forceinline__ void p2p(int t, real4 source, real softeningSquared) {
    acceleration[t] = interaction({x[t], y[t], z[t], 0}, source, acceleration[t], softeningSquared);
  }

  /// Adds the pull of a cell to the acceleration of body \p t (M2P): grad psi from orders 0 and 2.
  /// All in PointUnits.
  __device__ __forceinline__ void m2p(int t, const Quadrupole& c, real softeningSquared) {
    const real rx = x[t] - c.centre.x, ry = y[t] - c.centre.y, rz = z[t] - c.centre.z;
    const real inverse = rsqrt(softeningSquared + rx * rx + ry * ry + rz * rz);
    const real squared = inverse * inverse, cubed = inverse * squared, fifth = cubed * squared;
    const real qx = c.xx * rx + c.xy * ry + c.xz * rz;
    const real qy = c.xy * rx + c.yy * ry + c.yz * rz;
    const real qz = c.xz * rx + c.yz * ry + c.zz * rz;
    const real twice = real(2.5) * squared * (rx * qx + ry * qy + rz * qz) - c.trace;
    const real along = cubed * (c.centre.w + squared * twice);
    acceleration[t].x += fifth * qx - along * rx;
    acceleration[t].y += fifth * qy - along * ry;
    acceleration[t].z += fifth * qz - along * rz;
  }
};

/// Calls f(Constant<perLane>()). Only the innermost loops exist for each number of bodies, because
/// more code than the instruction cache holds took twice as long.
template <class F>
__device__ __forceinline__ void withBodies(int perLane, F&& f) {
  unrolled<1, kMostOfLane + 1>([&](auto k) {
    if (perLane == k) f(k);
  });
}

/// P2P: adds the pulls of all bodies of up to 32 leaves, one leaf per lane.
/// \param of  the lane's leaf: first body and number of bodies
__device__ inline void sumLeaves(const real4* __restrict__ bodies,
                                 int2 of,
                                 LaneBodies& targets,
                                 NearMemory& own,
                                 real softeningSquared) {
  const int lane = threadIdx.x % kLanes;
  int end = of.y;  // end of the lane's leaf among all these bodies
  for (int step = 1; step < kLanes; step *= 2) {
    const int before = __shfl_up_sync(kAllLanes, end, step);
    if (lane >= step) end += before;
  }
  const int count = __shfl_sync(kAllLanes, end, kLanes - 1);
  const int shift = of.x + of.y - end;
  const auto load = [&](int place) {
    int owner = 0;  // the leaf of this body: the number of leaves that end before it
    for (int step = kLanes / 2; step > 0; step /= 2)
      if (__shfl_sync(kAllLanes, end, owner + step - 1) <= place) owner += step;
    const int index = place + __shfl_sync(kAllLanes, shift, owner);
    return place < count ? bodies[index] : real4{0, 0, 0, 0};
  };
  real4 loaded[2] = {load(lane), load(kLanes + lane)};
  for (int begin = 0; begin < count; begin += 2 * kLanes) {
    __syncwarp();  // the last bodies are read
    for (int half = 0; half < 2; ++half) own.bodies[half * kLanes + lane] = loaded[half];
    __syncwarp();  // the next ones are written
    if (begin + 2 * kLanes < count)
      for (int half = 0; half < 2; ++half) loaded[half] = load(begin + (2 + half) * kLanes + lane);
    const int rounds = (min(2 * kLanes, count - begin) + kTeams - 1) / kTeams;
    withBodies(targets.perLane, [&](auto most) {
      const real4* source = own.bodies + lane / kTeamLanes;
#pragma unroll 2
      for (int k = 0; k < rounds; ++k, source += kTeams) {
        const real4 b = *source;
#pragma unroll
        for (int t = 0; t < most; ++t) targets.p2p(t, b, softeningSquared);
      }
    });
  }
}

/// P2P: adds the pulls of the bodies of \p chain 's leaves.
__device__ inline void sumNear(const Tree& tree,
                               const Lists& lists,
                               Chain chain,
                               LaneBodies& targets,
                               NearMemory& own,
                               real softeningSquared) {
  const int lane = threadIdx.x % kLanes;
  for (; chain.count > 0; chain.count -= kChunk) {
    const bool have = lane < chain.count;
    const int source = have ? lists.sources[kChunk * chain.first + lane] : 0;
    if (chain.count > kChunk) chain.first = lists.next[chain.first];
    const int2 range = have ? tree.cells.ranges[source] : int2{0, 0};
    sumLeaves(tree.sorted.bodies, range, targets, own, softeningSquared);
  }
}

/// M2P: adds the pulls of \p chain 's cells on each body. Does not keep the bodies' coordinates.
template <int P>
__device__ inline void sumPoints(const Expansions& f,
                                 const Lists& lists,
                                 Chain chain,
                                 LaneBodies& targets,
                                 NearMemory& own,
                                 real softeningSquared) {
  if (chain.count == 0) return;
  const int lane = threadIdx.x % kLanes;
  const PointUnits units(f);
  targets.convert(units.perMass / units.perLength / units.perLength, units.perLength);
  softeningSquared *= units.perLength * units.perLength;
  for (; chain.count > 0; chain.count -= kChunk) {
    const bool have = lane < chain.count;
    const int source = have ? lists.sources[kChunk * chain.first + lane] : 0;
    if (chain.count > kChunk) chain.first = lists.next[chain.first];
    Quadrupole cell = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0};
    if (have) cell = quadrupoleOf<P>(f, source, units);
    __syncwarp();  // the last cells are read
    own.cells[lane] = cell;
    __syncwarp();  // the next ones are written
    const int rounds = (min(kChunk, chain.count) + kTeams - 1) / kTeams;
    withBodies(targets.perLane, [&](auto most) {
      const Quadrupole* from = own.cells + lane / kTeamLanes;
#pragma unroll 1
      for (int k = 0; k < rounds; ++k, from += kTeams) {
        const Quadrupole c = *from;
#pragma unroll
        for (int t = 0; t < most; ++t) targets.m2p(t, c, softeningSquared);
      }
    });
  }
  targets.convert(units.perLength / units.perMass * units.perLength, 1);
}

/// Sums both lists of target \p t, and leaves the sums in own.bodies.
template <int P>
__device__ __forceinline__ void sumLists(const Tree& tree,
                                         const Expansions& f,
                                         const Lists& lists,
                                         const Target& t,
                                         Chain near,
                                         Chain points,
                                         NearMemory& own,
                                         real softeningSquared) {
  const int lane = threadIdx.x % kLanes, member = lane % kTeamLanes, count = t.bodies;
  LaneBodies targets;
  targets.perLane = (count + kTeamLanes - 1) / kTeamLanes;
#pragma unroll
  for (int k = 0; k < kMostOfLane; ++k) {
    const real4 b = tree.sorted.bodies[t.first + min(member + k * kTeamLanes, count - 1)];
    targets.x[k] = b.x, targets.y[k] = b.y, targets.z[k] = b.z;
    targets.acceleration[k] = {0, 0, 0};
  }
  sumNear(tree, lists, near, targets, own, softeningSquared);
  sumPoints<P>(f, lists, points, targets, own, softeningSquared);
  __syncwarp();  // the sources are read
#pragma unroll
  for (int k = 0; k < kMostOfLane; ++k) {
    real3 a = targets.acceleration[k];
    for (int step = kTeamLanes; step < kLanes; step *= 2) {
      a.x += __shfl_xor_sync(kAllLanes, a.x, step);
      a.y += __shfl_xor_sync(kAllLanes, a.y, step);
      a.z += __shfl_xor_sync(kAllLanes, a.z, step);
    }
    if (lane < kTeamLanes) own.bodies[member + k * kTeamLanes] = padded(a);
  }
  __syncwarp();  // the sums are written
}

/// Each warp takes one segment of a long list after the other.
/// Shared memory: NearMemory per warp. Barriers: only of warps.
template <int P>
__global__ void __launch_bounds__(kNearWarps* kLanes, kNearBlocks)
    segmentsKernel(Tree tree, Expansions f, Targets targets, Lists lists, real softeningSquared) {
  __shared__ NearMemory memory[kNearWarps];
  NearMemory& own = memory[threadIdx.x / kLanes];
  if (lists.incomplete()) return;
  while (true) {
    const int taken = take(&lists.state->nextSegment);
    if (taken >= lists.state->segments) return;
    const Segment segment = lists.segments[taken];
    const Target& t = targets.of[segment.target];
    const TargetLists& all = targets.lists[segment.target];
    const int sources = (segment.ofCells ? all.points : all.near).count;
    const Chain chain = {segment.first, min(lists.segment, sources - segment.begin)}, none = {0, 0};
    sumLists<P>(tree,
                f,
                lists,
                t,
                segment.ofCells ? none : chain,
                segment.ofCells ? chain : none,
                own,
                softeningSquared);
    for (int k = threadIdx.x % kLanes; k < t.bodies; k += kLanes)
      lists.segmentPulls[std::size_t{kMostBundle} * taken + k] = own.bodies[k];
    __syncwarp();  // the sums are read
  }
}

/// Each warp takes one bundle after the other, and adds up everything that acts on its bodies.
/// \param accelerations  out: one per body, in the caller's order
/// Shared memory: NearMemory per warp. Barriers: only of warps.
template <int P>
__global__ void __launch_bounds__(kNearWarps* kLanes, kNearBlocks)
    nearKernel(Tree tree,
               Expansions f,
               Targets targets,
               Lists lists,
               real softeningSquared,
               real4* accelerations) {
  __shared__ NearMemory memory[kNearWarps];
  NearMemory& own = memory[threadIdx.x / kLanes];
  if (blockIdx.x == 0 && threadIdx.x == 0) *lists.requested = *lists.state;  // for the host
  if (lists.incomplete()) return;
  while (true) {
    const int taken = take(&lists.state->nextBundle);
    if (taken >= lists.state->targets[0]) return;
    const Target& t = targets.of[taken];
    TargetLists all = targets.lists[taken];
    all.near.count = min(all.near.count, lists.segment);
    all.points.count = min(all.points.count, lists.segment);
    sumLists<P>(tree, f, lists, t, all.near, all.points, own, softeningSquared);
    const real4 centre = t.centre;
    const real perUnit = 1 / t.unit;
    const real* local =
        targets.locals + std::size_t(taken) * kLocalCapacity<P> - 1;  // from order 1 on
    for (int place = threadIdx.x % kLanes; place < t.bodies; place += kLanes) {
      const real4 b = tree.sorted.bodies[t.first + place];
      const int body = tree.sorted.order[t.first + place];
      const real4 pull = own.bodies[place];
      real3 a = l2p<P, real, real3>((b.x - centre.x) * perUnit,
                                    (b.y - centre.y) * perUnit,
                                    (b.z - centre.z) * perUnit,
                                    local);
      a = {pull.x + perUnit * a.x, pull.y + perUnit * a.y, pull.z + perUnit * a.z};
      for (int s = all.lastSegment; s >= 0; s = lists.segments[s].before) {
        const real4 more = lists.segmentPulls[std::size_t{kMostBundle} * s + place];
        a = {a.x + more.x, a.y + more.y, a.z + more.z};
      }
      accelerations[body] = padded(a);
      f.previousAcceleration[body] = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    }
    __syncwarp();  // the sums are read
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
