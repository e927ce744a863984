/// \file
/// Arrays of the method, and memory for them.
#pragma once

#include <utility>

#include "07_device_tree/tree/memory.cuh"
#include "07_device_tree/tuned.cuh"
#include "10_fast_multipole/expansion.cuh"

namespace nbody::fmm {

using tree::Cells;
using tree::firstLinkWord;
using tree::kLeafChild;
using tree::kNoChild;
using tree::links;
using tree::slotOf;
using tree::Tree;

/// The highest order of multipoles that is stored: what P needs, and a quadrupole for pulls of cells on bodies.
template <int P>
constexpr int kStoredOrder = P > 3 ? P - 1 : 2;

/// Numbers of a cell's record: centre of mass, mass, multipoles from order 2 on. An odd number of real4, so
/// that lanes that read theirs from shared memory meet in no bank.
template <int P>
constexpr int kRecord = 4 * ((componentsBelow(kStoredOrder<P> + 1) + 3) / 4 / 2 * 2 + 1);

/// Numbers of a local expansion: orders 1 to P.
template <int P>
constexpr int kLocals = componentsBelow(P + 1) - 1;

/// Properties of a cell by which lists are made.
struct alignas(16) CellSummary {
  real
      size;  ///< rho: between the largest and the root mean square distance from the centre of mass
  real mass;
  real felt;  ///< mean length of its bodies' last accelerations
  int link;  ///< as TreeView::links has it
};

/// Properties of the cell at each slot.
struct Expansions {
  real4* centres;  ///< centre of mass, radius
  CellSummary* summaries;
  real* multipoles;  ///< a record of kRecord<P> numbers each
  real* locals;  ///< kLocals<P> numbers each, from order 1 on
  real*
      felt;  ///< of each body, in the caller's order: length of its last acceleration; 0: none yet
  const tree::Spread* spread;  ///< of all bodies
};

/// Returns the unit of length of the expansions at \p slot: the side of the octant that holds the cell. If all
/// bodies are at one place, any does.
__device__ inline real unitOf(const Cells& cells, int slot) {
  const double side = cells.state->root.side;
  const int node = slot / 8 - 1;  // the parent
  const int level = node < 0 ? 0 : cells.nodeSlot[node].y + 1;
  return side > 0 ? static_cast<real>(ldexp(side, -level)) : 1;
}

/// The radius of a cell counts as this part of its unit at least. So two cells that act on each other are not too
/// near for FP32, in which units^11 must not overflow.
constexpr real kLeastRadius = 1.0 / 1024;

constexpr int kMostLevels = 12;  ///< of targets

/// Counts that only the device knows, 0 before each evaluation.
struct ListState {
  int targets[kMostLevels];  ///< at each level
  int nextTarget[kMostLevels];  ///< that no warp has taken
  int chunks, shares;  ///< wanted so far
  int nextFar, nextShare, nextLeaf;
};

/// Sources of a target, in chunks of 32.
struct Chain {
  int first, count;  ///< first chunk, and the number of sources
};

/// A part of a leaf's long list. One warp sums it.
struct Share {
  int slot;  ///< of the leaf
  int first;  ///< its first chunk
  int begin;  ///< sources of the list before it
  int before;  ///< the leaf's share before this one; -1: none
  bool ofCells;  ///< of Lists::points, not of Lists::near
};

/// Who acts on whom.
struct Lists {
  int levels;  ///< of targets: level 0 has small cells, the last has large ones
  int leaf;  ///< at level l a target has fewer bodies than leaf * kTargetRatio^l
  int* around;  ///< of the target at each slot, the smallest target around it; -1: none
  int* targets;  ///< slots, level by level, room for slotCount at each
  int slotCount;
  Chain* far;  ///< of the target at each slot: cells that act on it as a whole
  Chain*
      near;  ///< of a leaf: leaves whose bodies act on its bodies; else cells left to smaller targets
  Chain* points;  ///< of a leaf: cells that act on each of its bodies
  int* lastShare;  ///< of a leaf; -1: it has none, and sums its lists alone
  int* sources;  ///< 32 for each chunk
  int* next;  ///< of each chunk, the next one of its chain
  Share* shares;
  real4* sharePulls;  ///< what each share's sources do, kTargetsOfWarp bodies each
  int chunkRoom, shareRoom;
  ListState* state;

  /// Whether there was too little memory, so that lists are incomplete.
  __device__ bool full() const { return state->chunks > chunkRoom || state->shares > shareRoom; }
};

constexpr int kTargetRatio = 8;  ///< of the bodies of targets at neighbouring levels
constexpr int kTargetsOfWarp = 64;  ///< bodies on which a warp sums at once
constexpr int kShareSources = 256;  ///< in a share: leaves, or cells that act on bodies
constexpr int kChunk = 32;  ///< sources, one for each lane
constexpr int kChunksAtOnce = 8;  ///< that a warp reserves

/// Returns how many levels of targets \p bodies need for some hundred targets at the last one.
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
  /// Reserves the arrays for a tree of \p slots slots. Growing forgets what they hold.
  Expansions reserveExpansions(const Tree& tree,
                               std::size_t slots,
                               const tree::Spread* spread,
                               int order) {
    const auto with = [&](auto p) {
      multipoles_.reserve(slots * kRecord<p>);
      locals_.reserve(slots * kLocals<p>);
    };
    withOrder(order, with);
    return {tree.moments.centres,
            summaries_.reserve(slots),
            multipoles_.data(),
            locals_.data(),
            felt_.data(),
            spread};
  }

  /// Whether there is no last acceleration of \p bodies bodies. From now on there is.
  bool forgetFelt(int bodies) {
    if (std::exchange(feltBodies_, bodies) == bodies) return false;
    fillDevice(felt_.reserve(bodies), 0, bodies * sizeof(real));
    return true;
  }

  Lists reserveLists(int bodies, std::size_t slots, int leaf) {
    const int levels = targetLevels(bodies, leaf);
    // Some ten chunks for each of 4 N / leaf cells: enough for most bodies.
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
              .state = state_.reserve(1)};
    return lists_;
  }

  const Lists& lists() const { return lists_; }

  /// Whether the last lists had too little memory; the next reserveLists() has enough. Waits for the device.
  bool lackedRoom() {
    const ListState state = state_.download(0, 1)[0];
    const bool lacked = state.chunks > lists_.chunkRoom || state.shares > lists_.shareRoom;
    if (state.chunks > lists_.chunkRoom) leastChunks_ = state.chunks + state.chunks / 4;
    if (state.shares > lists_.shareRoom) leastShares_ = state.shares + state.shares / 4;
    return lacked;
  }

  /// Calls f(Constant<order>()).
  template <class F>
  static void withOrder(int order, F f) {
    switch (order) {
      case 2:
        return f(Constant<2>());
      case 3:
        return f(Constant<3>());
      case 4:
        return f(Constant<4>());
      case 5:
        return f(Constant<5>());
      default:
        return f(Constant<6>());
    }
  }

 private:
  Lists lists_ = {};
  int feltBodies_ = 0;  ///< that have a last acceleration
  int leastChunks_ = 0, leastShares_ = 0;  ///< because lists have had so many
  DeviceBuffer<CellSummary> summaries_{"summaries of the cells"};
  DeviceBuffer<real> multipoles_{"multipoles"}, locals_{"local expansions"};
  DeviceBuffer<real> felt_{"last accelerations"};
  DeviceBuffer<int> around_{"targets around targets"};
  DeviceBuffer<int> targets_{"targets"}, lastShare_{"last shares of leaves"};
  DeviceBuffer<int> sources_{"sources of targets"}, next_{"next chunks of sources"};
  DeviceBuffer<Chain> far_{"far sources"}, near_{"near sources"}, points_{"sources of bodies"};
  DeviceBuffer<Share> shares_{"shares of long lists"};
  DeviceBuffer<real4> sharePulls_{"pulls of shares"};
  DeviceBuffer<ListState> state_{"counts of the lists"};
};

}  // namespace nbody::fmm
