/// \file
/// Arrays of the tuned method, and their memory.
#pragma once

#include <utility>

#include "07_device_tree/tree/memory.cuh"
#include "07_device_tree/tuned.cuh"
#include "10_fast_multipole/expansion.cuh"
#include "10_fast_multipole/tuned/options.hpp"
#include "cuda/pinned.hpp"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using tree::Bounds;
using tree::Cells;
using tree::childIndex;
using tree::firstLinkWord;
using tree::kKeyLevels;
using tree::kLeafChild;
using tree::kNoChild;
using tree::links;
using tree::Tree;

/// Highest order of stored multipoles: what P needs, and at least a quadrupole, to act on bodies.
template <int P>
constexpr int kStoredOrder = P > 3 ? P - 1 : 2;

/// Numbers of a cell's multipole: centre of mass, mass, multipoles from order 2 on. An odd number of
/// real4, so that lanes use different banks in shared memory.
template <int P>
constexpr int kMultipoleReals = 4 * ((componentsBelow(kStoredOrder<P> + 1) + 3) / 4 / 2 * 2 + 1);

/// Numbers in a local expansion: orders 1 to P.
template <int P>
constexpr int kLocals = componentsBelow(P + 1) - 1;

/// Properties of a cell that the lists depend on.
struct alignas(16) CellSummary {
  real size;  ///< rho: between the largest and a root mean square distance from the centre of mass
  real mass;
  real previousAcceleration;  ///< mean length of the previous accelerations of its bodies
  int link;  ///< see TreeView::links
};

/// Properties of each cell. Multipoles and offsets are in its unit of length.
struct Expansions {
  real4* centres;  ///< centre of mass, radius
  CellSummary* summaries;
  real4* offsets;  ///< sums over bodies, each counted once: offset from the centre, and its square
  real* multipoles;  ///< kMultipoleReals<P> numbers each
  real* units;  ///< the side of the octant that holds the cell; 1 if all bodies are at one place
  real* previousAcceleration;  ///< length for each body, in the caller's order; 0: none yet
  const tree::Spread* spread;  ///< spread of all bodies
};

/// Smallest radius of a cell, in its unit. It keeps two cells that act on each other far enough
/// apart for FP32, in which units^11 must not overflow.
constexpr real kLeastRadius = 1.0 / 1024;

/// Levels of keys, unless bodies are so close that kKeyLevels are needed: within 2^-16 of the root
/// cube's side. A radix sort then has six passes, not eight.
constexpr int kShortLevels = 16;

constexpr int kMostBundle = 48;  ///< bodies on which a warp can sum at once
constexpr int kTargetRatio = 8;  ///< ratio of the targets' bodies at neighbouring levels
constexpr int kMostLevels = 12;  ///< levels of targets
constexpr int kChunk = 32;  ///< sources, one per lane
constexpr int kChunksAtOnce = 8;  ///< chunks that a warp reserves at once

/// A target: a bundle of leaves at level 0, a node at the levels above.
struct alignas(16) Target {
  real4 centre;  ///< mean place of its bodies, or centre of mass, and radius
  Bounds box;
  real size;  ///< rho, as in CellSummary
  real previousAcceleration;
  int first, bodies;  ///< range of the sorted bodies
  int parent;  ///< number of the smallest target around it; -1: none
  real unit;  ///< of its local expansion
};

/// Sources of one kind, in chunks of 32.
struct Chain {
  int first, count;  ///< first chunk, and the number of sources
};

/// Sources that act on a target.
struct alignas(32) TargetLists {
  Chain far;  ///< cells that act on it as a whole
  Chain
      near;  ///< at level 0, leaves whose bodies act on its own; above, cells left to smaller ones
  Chain points;  ///< at level 0, cells that act on each of its bodies
  int lastSegment;  ///< at level 0; -1: it has none
};

/// All targets. Bundles come first, then there is a number for each node of the tree.
struct Targets {
  int levels;  ///< level 0 has bundles, and the last level has the largest nodes
  int bundle;  ///< most bodies of a bundle
  int bundleCapacity, nodeCapacity;
  Target* of;
  TargetLists* lists;
  real* locals;  ///< kLocalCapacity<P> numbers each, from order 1 on, in the target's unit
  int* nodes;  ///< numbers of the nodes that are targets; nodeCapacity elements per level from 1 on

  __device__ int numberOf(int node) const { return bundleCapacity + node; }
  /// Returns the number of the target at place \p i of \p level.
  __device__ int at(int level, int i) const {
    return level == 0 ? i : nodes[std::size_t(level - 1) * nodeCapacity + i];
  }
};

/// Numbers in a target's local expansion, with room to read it in vectors.
template <int P>
constexpr int kLocalCapacity = (kLocals<P> + 3) / 4 * 4;

/// Requests of the device: for memory, or for more levels of the tree.
struct Requested {
  int chunks, segments;
  int crowded;  ///< not 0: a leaf is too large, because keys have few levels
};

/// Counts that only the device knows. Must be 0 before each evaluation.
struct ListState : Requested {
  int targets[kMostLevels];  ///< number of targets at each level
  int nextList[kMostLevels], nextFar[kMostLevels];  ///< first target that no warp has taken
  int nextSegment, nextBundle;
};

/// A part of a target's long list, which one warp sums.
struct Segment {
  int target;
  int first;  ///< its first chunk
  int begin;  ///< number of earlier sources in the list
  int before;  ///< the target's previous segment; -1: none
  bool ofCells;  ///< true: sources from TargetLists::points; false: from near
};

/// Memory of all lists.
struct Lists {
  int* sources;  ///< 32 per chunk
  int* next;  ///< the next chunk of each chunk's chain
  Segment* segments;
  real4* segmentPulls;  ///< pulls of each segment's sources, on kMostBundle bodies each
  int segment;  ///< sources of each kind that one warp sums: leaves, or cells
  int chunkCapacity, segmentCapacity;
  bool maybeCrowded;  ///< keys have few levels
  ListState* state;
  Requested* requested;  ///< pinned host memory, into which nearKernel() copies the state

  /// Returns whether the tree needs more levels, so that nobody should look at it.
  __device__ bool crowded() const { return maybeCrowded && state->crowded; }
  /// Returns whether lists are incomplete. To be asked when all have been made.
  __device__ bool incomplete() const {
    return crowded() || state->chunks > chunkCapacity || state->segments > segmentCapacity;
  }
};

/// Returns the next of the elements that warps take from a queue, to all lanes.
/// \param next  first element that no warp has taken
__device__ inline int take(int* next) {
  int taken = 0;
  if (threadIdx.x % 32 == 0) taken = atomicAdd(next, 1);
  return __shfl_sync(0xffffffffu, taken, 0);
}

/// Returns how many levels of targets are needed to have some hundred targets at the last one.
inline int targetLevels(int bodies, int bundle) {
  int levels = 1;
  for (long long most = 1LL * bundle * kTargetRatio; most <= bodies / 128 && levels < kMostLevels;
       most *= kTargetRatio)
    ++levels;
  return levels;
}

/// Memory of the method, kept from one evaluation to the next.
class FieldMemory {
 public:
  /// Reserves the arrays for a tree of \p cells cells. If they grow, their contents are lost.
  Expansions reserveExpansions(const Tree& tree,
                               std::size_t cells,
                               const tree::Spread* spread,
                               int order) {
    Orders::select(order, [&](auto p) { multipoles_.reserve(cells * kMultipoleReals<p>); });
    return {tree.moments.centres,
            summaries_.reserve(cells),
            offsets_.reserve(cells),
            multipoles_.data(),
            units_.reserve(cells),
            previous_.data(),
            spread};
  }

  /// Reserves the targets. There are at most as many bundles as leaves and parts of large leaves.
  Targets reserveTargets(int bodies, std::size_t cells, const Options& options) {
    const int levels = targetLevels(bodies, options.bundle), nodes = static_cast<int>(cells / 8);
    const int bundles = static_cast<int>(cells) + bodies / options.bundle;
    const std::size_t all = std::size_t(bundles) + nodes;
    Orders::select(options.order, [&](auto p) { locals_.reserve(all * kLocalCapacity<p>); });
    targets_ = {levels,
                options.bundle,
                bundles,
                nodes,
                ofTargets_.reserve(all),
                listsOf_.reserve(all),
                locals_.data(),
                nodes_.reserve(std::size_t(levels) * nodes)};
    return targets_;
  }

  Lists reserveLists(int bodies, int bundle) {
    // About ten chunks for each of 4 N / bundle targets, which is enough for most scenes.
    const int chunks = std::max(static_cast<int>(48LL * bodies / bundle) + (1 << 13), leastChunks_);
    const int segments = std::max(bodies / 8 + (1 << 10), leastSegments_);
    lists_ = {.sources = sources_.reserve(std::size_t{kChunk} * chunks),
              .next = next_.reserve(chunks),
              .segments = segments_.reserve(segments),
              .segmentPulls = segmentPulls_.reserve(std::size_t{kMostBundle} * segments),
              .segment = bodies < 1 << 19 ? 32 : 64,
              .chunkCapacity = chunks,
              .segmentCapacity = segments,
              .maybeCrowded = shortKeys_,
              .state = state_.reserve(1),
              .requested = requested_.address()};
    return lists_;
  }

  /// Returns memory for the number of child nodes of each node whose multipoles are ready.
  int* reserveArrivals(int nodes) { return arrivals_.reserve(nodes); }

  const Targets& targets() const { return targets_; }
  const Lists& lists() const { return lists_; }

  /// Returns whether keys have only kShortLevels levels.
  bool hasShortKeys() const { return shortKeys_; }

  /// Returns whether \p bodies bodies had no previous acceleration. From now on they have one,
  /// unless the evaluation lacks memory.
  bool resetAccelerations(int bodies) {
    isFirst_ = std::exchange(accelerated_, bodies) != bodies;
    if (isFirst_) fillDevice(previous_.reserve(bodies), 0, bodies * sizeof(real));
    return isFirst_;
  }

  /// After an evaluation that lacked memory: if it was the first one, it has not written forces.
  void repeatFirst() {
    if (isFirst_) forget();
  }

  /// Makes the previous accelerations unknown.
  void forget() { accelerated_ = 0; }

  /// Returns whether the last evaluation lacked memory or levels of keys, which the next one gets.
  /// Waits for the device.
  bool lackedMemory() {
    synchronizeDevice();
    const Requested requested = *requested_;
    const bool crowded = lists_.maybeCrowded && requested.crowded;
    if (crowded) shortKeys_ = false;
    if (requested.chunks > lists_.chunkCapacity)
      leastChunks_ = requested.chunks + requested.chunks / 4;
    if (requested.segments > lists_.segmentCapacity)
      leastSegments_ = requested.segments + requested.segments / 4;
    return crowded || requested.chunks > lists_.chunkCapacity ||
           requested.segments > lists_.segmentCapacity;
  }

 private:
  Targets targets_ = {};
  Lists lists_ = {};
  bool shortKeys_ = true;
  int accelerated_ = 0;  ///< number of bodies with a previous acceleration
  bool isFirst_ = false;  ///< they had none before the latest evaluation
  int leastChunks_ = 0, leastSegments_ = 0;  ///< counts for the longest lists so far
  DeviceBuffer<CellSummary> summaries_{"summaries of the cells"};
  DeviceBuffer<real4> offsets_{"offsets of bodies in cells"};
  DeviceBuffer<real> multipoles_{"multipoles"}, locals_{"local expansions"};
  DeviceBuffer<real> units_{"units of cells"}, previous_{"previous accelerations"};
  DeviceBuffer<int> arrivals_{"child nodes that are ready"};
  DeviceBuffer<Target> ofTargets_{"targets"};
  DeviceBuffer<TargetLists> listsOf_{"lists of targets"};
  DeviceBuffer<int> nodes_{"nodes that are targets"};
  DeviceBuffer<int> sources_{"sources of targets"}, next_{"next chunks of sources"};
  DeviceBuffer<Segment> segments_{"segments of long lists"};
  DeviceBuffer<real4> segmentPulls_{"pulls of segments"};
  DeviceBuffer<ListState> state_{"counts of the lists"};
  Pinned<Requested> requested_;
};

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
