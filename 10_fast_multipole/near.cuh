/// \file
/// Sums everything that acts on the bodies of a leaf: bodies of near leaves (P2P), quadrupoles of
/// cells (M2P), and the leaf's local expansion (L2P).
#pragma once

#include "06_tree_walk/interaction.cuh"
#include "10_fast_multipole/lists.cuh"

namespace nbody::fmm {

using walk::interaction;

constexpr int kNearWarps = 4;  ///< warps of a block
constexpr int kPerLane = 2;  ///< bodies of the leaf in each lane

/// A leaf's bodies, two per lane. As many teams of lanes as fit into a warp hold all of them, and
/// each team sums its share of the sources. Example: with nine bodies, six teams of five lanes.
struct Teams {
  int bodies;
  int size;  ///< lanes
  int count;
  int mine;  ///< the lane's team; lanes without a team repeat the first team's work, unused
  int member;  ///< the lane's place in its team

  __device__ explicit Teams(int bodies) : bodies(bodies) {
    const int lane = threadIdx.x % kLanes;
    size = (bodies + kPerLane - 1) / kPerLane;
    count = kLanes / size;
    mine = lane / size < count ? lane / size : 0;
    member = lane % size;
  }
  /// Returns the place of the lane's body \p t. A lane past the end repeats the last body.
  __device__ int place(int t) const { return min(member + t * size, bodies - 1); }
  /// Returns whether the lane writes body \p t.
  __device__ bool writes(int t) const {
    return static_cast<int>(threadIdx.x % kLanes) < size && member + t * size < bodies;
  }
};

/// A cell that acts on bodies.
struct PointCell {
  real4 centre;  ///< centre of mass, and mass
  real second[6];  ///< multipoles of order 2, in the cell's unit: xx, xy, xz, yy, yz, zz
  real perUnit;
  real unused;
};

/// Returns a cell without mass and with unit 1, for lanes without a cell.
__device__ inline PointCell noCell() { return {{0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 1, 0}; }

/// A warp's shared memory. After the sources are as many without mass, for teams with one less.
struct NearMemory {
  real4 bodies[2 * kLanes + kLanes];
  PointCell cells[kLanes + kLanes];
};

/// The bodies of one leaf, and the sums of what acts on them.
struct LeafTargets {
  Teams teams;
  real4 body[kPerLane];
  real3 acceleration[kPerLane] = {};

  __device__ LeafTargets(const real4* bodies, int count) : teams(count) {
    for (int t = 0; t < kPerLane; ++t) body[t] = bodies[teams.place(t)];
  }

  /// Adds up the teams' sums; the first team has the result.
  __device__ void addTeams() {
    const int lane = threadIdx.x % kLanes;
    for (real3& a : acceleration) {
      real3 sum = a;
      for (int k = 1; k < teams.count; ++k) {
        const int from = min(lane + k * teams.size, kLanes - 1);
        sum.x += __shfl_sync(kAllLanes, a.x, from);
        sum.y += __shfl_sync(kAllLanes, a.y, from);
        sum.z += __shfl_sync(kAllLanes, a.z, from);
      }
      a = sum;
    }
  }
};

/// Adds the pulls of all bodies of up to 32 leaves, one leaf per lane.
/// \param of  the lane's leaf: first body and number of bodies
__device__ inline void sumLeaves(const real4* __restrict__ bodies,
                                 int2 of,
                                 LeafTargets& targets,
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
  for (int begin = 0; begin < count; begin += 2 * kLanes) {
    real4 loaded[2];
    for (int half = 0; half < 2; ++half) {
      const int place = begin + half * kLanes + lane;
      int owner = 0;  // the leaf of this body: the number of leaves that end before it
      for (int step = kLanes / 2; step > 0; step /= 2)
        if (__shfl_sync(kAllLanes, end, owner + step - 1) <= place) owner += step;
      const int index = place + __shfl_sync(kAllLanes, shift, owner);
      loaded[half] = place < count ? bodies[index] : real4{0, 0, 0, 0};
    }
    __syncwarp();  // the last bodies are read
    for (int half = 0; half < 2; ++half) own.bodies[half * kLanes + lane] = loaded[half];
    __syncwarp();  // the next ones are written
    const int rounds =
        (min(2 * kLanes, count - begin) + targets.teams.count - 1) / targets.teams.count;
    const real4* source = own.bodies + targets.teams.mine;
#pragma unroll 4
    for (int k = 0; k < rounds; ++k, source += targets.teams.count) {
      const real4 b = *source;
      for (int t = 0; t < kPerLane; ++t)
        targets.acceleration[t] =
            interaction(targets.body[t], b, targets.acceleration[t], softeningSquared);
    }
  }
}

/// Adds the pulls of the bodies of \p chain 's leaves.
__device__ inline void sumNear(const Tree& tree,
                               const Lists& lists,
                               Chain chain,
                               LeafTargets& targets,
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

/// Returns the pull of a cell on a body, from mass and quadrupole: grad psi from orders 0 and 2.
__device__ inline real3 pullOf(const PointCell& c, const real4& body, real softeningSquared) {
  const real x = (body.x - c.centre.x) * c.perUnit, y = (body.y - c.centre.y) * c.perUnit,
             z = (body.z - c.centre.z) * c.perUnit;
  const real perSquare = c.perUnit * c.perUnit;
  const real inverse = rsqrt(softeningSquared * perSquare + x * x + y * y + z * z);
  const real squared = inverse * inverse, cubed = inverse * squared;
  const real* m = c.second;
  // q = 2 M r, so that r q / 2 = r M r.
  const real qx = 2 * m[0] * x + m[1] * y + m[2] * z;
  const real qy = m[1] * x + 2 * m[3] * y + m[4] * z;
  const real qz = m[2] * x + m[4] * y + 2 * m[5] * z;
  const real trace = m[0] + m[3] + m[5];
  const real across = 3 * cubed * squared;
  const real along =
      cubed *
      (c.centre.w + squared * (real(7.5) * squared * (x * qx + y * qy + z * qz) - 3 * trace));
  return {perSquare * (across * qx - along * x),
          perSquare * (across * qy - along * y),
          perSquare * (across * qz - along * z)};
}

/// Adds the pulls of \p chain 's cells on each body.
template <int P>
__device__ inline void sumPoints(const Tree& tree,
                                 const Expansions& f,
                                 const Lists& lists,
                                 Chain chain,
                                 LeafTargets& targets,
                                 NearMemory& own,
                                 real softeningSquared) {
  const int lane = threadIdx.x % kLanes;
  for (; chain.count > 0; chain.count -= kChunk) {
    const bool have = lane < chain.count;
    const int source = have ? lists.sources[kChunk * chain.first + lane] : 0;
    if (chain.count > kChunk) chain.first = lists.next[chain.first];
    PointCell cell = noCell();
    if (have) {
      const real* record = f.multipoles + std::size_t(source) * kRecord<P>;
      cell.centre = *reinterpret_cast<const real4*>(record);
      for (int k = 0; k < 6; ++k) cell.second[k] = record[4 + k];
      cell.perUnit = 1 / unitOf(tree.cells, source);
    }
    __syncwarp();  // the last cells are read
    own.cells[lane] = cell;
    __syncwarp();  // the next ones are written
    const int rounds = (min(kChunk, chain.count) + targets.teams.count - 1) / targets.teams.count;
    const PointCell* source_ = own.cells + targets.teams.mine;
#pragma unroll 2
    for (int k = 0; k < rounds; ++k, source_ += targets.teams.count)
      for (int t = 0; t < kPerLane; ++t) {
        const real3 pull = pullOf(*source_, targets.body[t], softeningSquared);
        real3& a = targets.acceleration[t];
        a = {a.x + pull.x, a.y + pull.y, a.z + pull.z};
      }
  }
}

/// Clears the memory after the sources.
__device__ inline void clearBehind(NearMemory& own) {
  own.bodies[2 * kLanes + threadIdx.x % kLanes] = {0, 0, 0, 0};
  own.cells[kLanes + threadIdx.x % kLanes] = noCell();
}

/// Each warp takes one share of a long list after the other.
/// Shared memory: NearMemory per warp. Barriers: only of warps.
template <int P>
__global__ void __launch_bounds__(kNearWarps* kLanes, 8)
    sharesKernel(Tree tree, Expansions f, Lists lists, real softeningSquared) {
  __shared__ NearMemory memory[kNearWarps];
  NearMemory& own = memory[threadIdx.x / kLanes];
  clearBehind(own);
  if (lists.full()) return;
  while (true) {
    int taken = 0;
    if (threadIdx.x % kLanes == 0) taken = atomicAdd(&lists.state->nextShare, 1);
    taken = __shfl_sync(kAllLanes, taken, 0);
    if (taken >= lists.state->shares) return;
    const Share share = lists.shares[taken];
    const int2 range = tree.cells.ranges[share.slot];
    LeafTargets targets(tree.sorted.bodies + range.x, range.y);
    const int sources = (share.ofCells ? lists.points : lists.near)[share.slot].count;
    const Chain chain = {share.first, min(kShareSources, sources - share.begin)};
    if (share.ofCells) sumPoints<P>(tree, f, lists, chain, targets, own, softeningSquared);
    else sumNear(tree, lists, chain, targets, own, softeningSquared);
    targets.addTeams();
    for (int t = 0; t < kPerLane; ++t)
      if (targets.teams.writes(t))
        lists.sharePulls[std::size_t{kTargetsOfWarp} * taken + targets.teams.place(t)] =
            padded(targets.acceleration[t]);
  }
}

/// Each warp takes one leaf after the other, and adds up everything that acts on its bodies.
/// \param accelerations  out: one per body, in the caller's order
/// Shared memory: NearMemory per warp. Barriers: only of warps.
template <int P>
__global__ void __launch_bounds__(kNearWarps* kLanes, 8) leavesKernel(Tree tree,
                                                                      Expansions f,
                                                                      Lists lists,
                                                                      real softeningSquared,
                                                                      real4* accelerations) {
  __shared__ NearMemory memory[kNearWarps];
  NearMemory& own = memory[threadIdx.x / kLanes];
  const int lane = threadIdx.x % kLanes;
  if (blockIdx.x == 0 && threadIdx.x == 0) *lists.wanted = *lists.state;  // for the host
  clearBehind(own);
  if (lists.full()) return;
  while (true) {
    int taken = 0;
    if (lane == 0) taken = atomicAdd(&lists.state->nextLeaf, 1);
    taken = __shfl_sync(kAllLanes, taken, 0);
    if (taken >= tree.cells.state->leaves) return;
    const int slot = tree.cells.leafSlot[taken];
    const int2 range = tree.cells.ranges[slot];
    const real4 centre = f.centres[slot];
    const real unit = unitOf(tree.cells, slot), perUnit = 1 / unit;
    Chain near = lists.near[slot], points = lists.points[slot];
    const int last = lists.lastShare[slot];
    if (last >= 0) {
      near.count = min(near.count, kShareSources);
      points.count = min(points.count, kShareSources);
    }
    // One iteration, unless the leaf has more bodies than a warp has targets, all at one place.
    for (int first = 0; first < range.y; first += kTargetsOfWarp) {
      LeafTargets targets(tree.sorted.bodies + range.x + first,
                          min(kTargetsOfWarp, range.y - first));
      sumNear(tree, lists, near, targets, own, softeningSquared);
      sumPoints<P>(tree, f, lists, points, targets, own, softeningSquared);
      targets.addTeams();
      const real* local = f.locals + std::size_t(slot) * kLocals<P> - 1;  // from order 1 on
      for (int t = 0; t < kPerLane; ++t) {
        if (!targets.teams.writes(t)) continue;
        const int place = targets.teams.place(t);
        const real4 b = targets.body[t];
        real3 a = l2p<P, real, real3>((b.x - centre.x) * perUnit,
                                      (b.y - centre.y) * perUnit,
                                      (b.z - centre.z) * perUnit,
                                      local);
        a = {targets.acceleration[t].x + perUnit * a.x,
             targets.acceleration[t].y + perUnit * a.y,
             targets.acceleration[t].z + perUnit * a.z};
        for (int share = last; share >= 0; share = lists.shares[share].before) {
          const real4 more = lists.sharePulls[std::size_t{kTargetsOfWarp} * share + place];
          a = {a.x + more.x, a.y + more.y, a.z + more.z};
        }
        const int body = tree.sorted.order[range.x + first + place];
        accelerations[body] = padded(a);
        f.previousAcceleration[body] = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
      }
    }
  }
}

}  // namespace nbody::fmm
