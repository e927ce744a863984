/// \file
/// Arrays of the method, and their memory.
#pragma once

#include <utility>

#include "07_device_tree/tree/memory.cuh"
#include "07_device_tree/tuned.cuh"
#include "10_fast_multipole/expansion.cuh"
#include "10_fast_multipole/options.hpp"
#include "cuda/pinned.hpp"

namespace nbody::fmm {

using tree::Cells;
using tree::firstLinkWord;
using tree::kLeafChild;
using tree::kNoChild;
using tree::links;
using tree::slotOf;
using tree::Tree;

/// Highest order of stored multipoles: what P needs, and at least a quadrupole, to act on bodies.
template <int P>
constexpr int kStoredOrder = P > 3 ? P - 1 : 2;

/// Numbers in a cell's record: centre of mass, mass, multipoles from order 2 on. An odd number of
/// real4, so that lanes use different banks in shared memory.
template <int P>
constexpr int kRecord = 4 * ((componentsBelow(kStoredOrder<P> + 1) + 3) / 4 / 2 * 2 + 1);

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

/// Properties of the cell at each slot. Multipoles, local expansions and offsets are in its unit.
struct Expansions {
  real4* centres;  ///< centre of mass, radius
  CellSummary* summaries;
  real4* offsets;  ///< sums over bodies, each counted once: offset from the centre, and its square
  real* multipoles;  ///< a record of kRecord<P> numbers each
  real* locals;  ///< kLocals<P> numbers each, from order 1 on
  real* previousAcceleration;  ///< length for each body, in the caller's order; 0: none yet
  const tree::Spread* spread;  ///< spread of all bodies
};

/// Returns the unit of length of the expansions at \p slot: the side of the octant that holds the
/// cell. If all bodies are at one place, any unit will do.
__device__ inline real unitOf(const Cells& cells, int slot) {
  const double side = cells.state->root.side;
  const int node = slot / 8 - 1;  // the parent
  const int level = node < 0 ? 0 : cells.nodeSlot[node].y + 1;
  return side > 0 ? static_cast<real>(ldexp(side, -level)) : 1;
}

/// Smallest radius of a cell, in its unit. It keeps two cells that act on each other far enough
/// apart for FP32, in which units^11 must not overflow.
constexpr real kLeastRadius = 1.0 / 1024;

constexpr int kMostLevels = 12;  ///< levels of targets

/// Numbers of chunks and of shares that the lists want.
struct ListSizes {
  int chunks, shares;
};

/// Counts that only the device knows. Must be 0 before each evaluation.
struct ListState : ListSizes {
  int targets[kMostLevels];  ///< number of targets at each level
  int nextTarget[kMostLevels];  ///< first target that no warp has taken
  int nextFar, nextShare, nextLeaf;
};

/// Sources of a target, in chunks of 32.
struct Chain {
  int first, count;  ///< first chunk, and the number of sources
};

/// A part of a leaf's long list, which one warp sums.
struct Share {
  int slot;  ///< slot of the leaf
  int first;  ///< its first chunk
  int begin;  ///< number of earlier sources in the list
  int before;  ///< the leaf's previous share; -1: none
  bool ofCells;  ///< true: sources from Lists::points; false: from Lists::near
};

/// Lists of the cells and bodies that act on each target.
struct Lists {
  int levels;  ///< levels of targets: level 0 has small cells, the last has large ones
  int leaf;  ///< at level l a target has fewer bodies than leaf * kTargetRatio^l
  int* around;  ///< smallest target around the target at each slot; -1: none
  int* targets;  ///< slots, level by level; slotCount elements per level
  int slotCount;
  Chain* far;  ///< per slot with a target: cells that act on it as a whole
  Chain*
      near;  ///< per leaf: leaves whose bodies act on its own; else cells left to smaller targets
  Chain* points;  ///< per leaf: cells that act on each of its bodies
  int* lastShare;  ///< per leaf; -1: it has none, and sums its lists itself
  int* sources;  ///< 32 per chunk
  int* next;  ///< the next chunk of each chunk's chain
  Share* shares;
  real4* sharePulls;  ///< pulls of each share's sources, kTargetsOfWarp bodies each
  int chunkRoom, shareRoom;
  ListState* state;
  ListSizes* wanted;  ///< pinned host memory, into which leavesKernel() copies the sizes

  /// Returns whether there was too little memory, so that lists are incomplete.
  __device__ bool full() const { return state->chunks > chunkRoom || state->shares > shareRoom; }
};

constexpr int kTargetRatio = 8;  ///< ratio of the targets' bodies at neighbouring levels
constexpr int kTargetsOfWarp = 64;  ///< bodies on which a warp sums at once
constexpr int kShareSources = 256;  ///< sources in a share: leaves, or cells that act on bodies
constexpr int kChunk = 32;  ///< sources, one per lane
constexpr int kChunksAtOnce = 8;  ///< chunks that a warp reserves at once

/// Returns how many levels of targets are needed to have some hundred targets at the last one.
inline int targetLevels(int bodies, int leaf) {
  int levels = 1;
  for (long long most = 1LL * leaf * kTargetRatio; most <= bodies / 128 && levels < kMostLevels;
       most *= kTargetRatio)
    ++levels;
  return levels;
}

/// Memory of the method, kept from one evaluation to the next.
class FieldMemory {
 public:
  /// Reserves the arrays for a tree of \p slots slots. If they grow, their contents are lost.
  Expansions reserveExpansions(const Tree& tree,
                               std::size_t slots,
                               const tree::Spread* spread,
                               int order) {
    const auto with = [&](auto p) {
      multipoles_.reserve(slots * kRecord<p>);
      locals_.reserve(slots * kLocals<p>);
    };
    Orders::select(order, with);
    return {tree.moments.centres,
            summaries_.reserve(slots),
            offsets_.reserve(slots),
            multipoles_.data(),
            locals_.data(),
            previous_.data(),
            spread};
  }

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

  Lists reserveLists(int bodies, std::size_t slots, int leaf) {
    const int levels = targetLevels(bodies, leaf);
    // About ten chunks for each of 4 N / leaf cells, which is enough for most scenes.
    const int chunks = std::max(static_cast<int>(48LL * bodies / leaf) + (1 << 13), leastChunks_);
    const int shares = std::max(bodies / 64 + (1 << 10), leastShares_);
    lists_ = {.levels = levels,
              .leaf = leaf,
              .around = around_.reserve(slots),
              .targets = targets_.reserve(levels * slots),
              .slotCount = static_cast<int>(slots),
              .far = far_.reserve(slots),
              .near = near_.reserve(slots),
              .points = points_.reserve(slots),
              .lastShare = lastShare_.reserve(slots),
              .sources = sources_.reserve(std::size_t{kChunk} * chunks),
              .next = next_.reserve(chunks),
              .shares = shares_.reserve(shares),
              .sharePulls = sharePulls_.reserve(std::size_t{kTargetsOfWarp} * shares),
              .chunkRoom = chunks,
              .shareRoom = shares,
              .state = state_.reserve(1),
              .wanted = wanted_.address()};
    return lists_;
  }

  const Lists& lists() const { return lists_; }

  /// Returns whether the last lists lacked memory, which the next ones get. Waits for the device.
  bool lackedRoom() {
    synchronizeDevice();
    const auto [chunks, shares] = *wanted_;
    if (chunks > lists_.chunkRoom) leastChunks_ = chunks + chunks / 4;
    if (shares > lists_.shareRoom) leastShares_ = shares + shares / 4;
    return chunks > lists_.chunkRoom || shares > lists_.shareRoom;
  }

 private:
  Lists lists_ = {};
  int accelerated_ = 0;  ///< number of bodies with a previous acceleration
  bool isFirst_ = false;  ///< they had none before the latest evaluation
  int leastChunks_ = 0, leastShares_ = 0;  ///< counts for the longest lists so far
  DeviceBuffer<CellSummary> summaries_{"summaries of the cells"};
  DeviceBuffer<real4> offsets_{"offsets of bodies in cells"};
  DeviceBuffer<real> multipoles_{"multipoles"}, locals_{"local expansions"};
  DeviceBuffer<real> previous_{"previous accelerations"};
  DeviceBuffer<int> around_{"targets around targets"};
  DeviceBuffer<int> targets_{"targets"}, lastShare_{"last shares of leaves"};
  DeviceBuffer<int> sources_{"sources of targets"}, next_{"next chunks of sources"};
  DeviceBuffer<Chain> far_{"far sources"}, near_{"near sources"}, points_{"sources of bodies"};
  DeviceBuffer<Share> shares_{"shares of long lists"};
  DeviceBuffer<real4> sharePulls_{"pulls of shares"};
  DeviceBuffer<ListState> state_{"counts of the lists"};
  Pinned<ListSizes> wanted_;
};

}  // namespace nbody::fmm
