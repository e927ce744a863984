/// \file
/// Finds which cells act on which. Targets are cells of few bodies. A target of up to 64 bodies is
/// in one of up to 512, that one in one of up to 4,096, and so on. Large targets come first. Each
/// looks at the cells that its parent left to it:
///
/// - A source that is far enough acts on the target as a whole.
/// - A source that is larger than the target is divided into its children.
/// - Others are left to the targets within this one. A leaf has none, so it divides all of them,
/// and sums the remaining leaves body by body.
#pragma once

#include "06_tree_walk/walk/warp_queues.cuh"
#include "10_fast_multipole/memory.cuh"

namespace nbody::fmm {

using tree::kKeyLevels;
using walk::append;
using walk::kAllLanes;
using walk::kLanes;

constexpr int kListWarps = 4;  ///< warps of a block
constexpr int kOpenedAtOnce =
    kLanes / 8;  ///< nodes that a warp divides at once: a lane for each child

/// Returns the level at which the cell at \p slot is a target: the highest whose bound its parent
/// exceeds and the cell does not. A leaf always has one. -1: the cell is no target.
__device__ inline int targetLevel(const Cells& cells, const Lists& lists, int slot) {
  const int node = slot / 8 - 1;
  const int parentBodies = node < 0 ? INT_MAX : cells.ranges[cells.nodeSlot[node].x].y;
  int level = 0;
  long long most = lists.leaf;
  for (; level + 1 < lists.levels && most * kTargetRatio <= parentBodies; ++level)
    most *= kTargetRatio;
  return links(cells)[slot] == kLeafChild || cells.ranges[slot].y < most ? level : -1;
}

/// Returns the slot of the smallest target around the target at \p slot; -1: there is none.
__device__ inline int targetAround(const Cells& cells, const Lists& lists, int slot) {
  for (int node = slot / 8 - 1; node >= 0; node = slot / 8 - 1) {
    slot = cells.nodeSlot[node].x;
    if (targetLevel(cells, lists, slot) >= 0) return slot;
  }
  return -1;
}

/// A thread per cell enters it as a target, and finds the target around it. The order within a
/// level may differ from run to run, but no result depends on it.
static __global__ void targetsKernel(Cells cells, Lists lists) {
  const int leaves = cells.state->leaves, count = leaves + cells.state->nodes;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < count; c += gridDim.x * blockDim.x) {
    const int slot = c < leaves ? cells.leafSlot[c] : cells.nodeSlot[c - leaves].x;
    const int level = targetLevel(cells, lists, slot);
    if (level < 0) continue;
    const int place = atomicAdd(&lists.state->targets[level], 1);
    lists.targets[std::size_t(level) * lists.slotCount + place] = slot;
    lists.around[slot] = targetAround(cells, lists, slot);
  }
}

/// Decides when a source is far enough.
struct Acceptance {
  static constexpr real kMost = std::numeric_limits<real>::max();

  int order;
  real theta;  ///< (r_A + r_B) / d is below this
  real tolerance;  ///< largest error of one interaction, per previous acceleration of the target

  /// Returns 1 / (tolerance * acceleration), the factor on errors.
  __device__ real perAllowedError(real acceleration) const {
    const real allowed = tolerance * acceleration;
    return allowed * kMost > 1 ? 1 / allowed : kMost;
  }
};

__device__ inline real power(real x, int n) {
  real result = x;
  for (int k = 1; k < n; ++k) result *= x;
  return result;
}

/// A target, as its warp uses it.
struct Target {
  bool isLeaf;
  real4 cell;  ///< centre, radius
  real size;  ///< rho
  real perAllowedError;
  tree::Bounds box;

  /// Returns a distance from \p c within which the target has no body, by its sphere and its box. The sphere around a
  /// few bodies far outside can reach through all others.
  __device__ real gapTo(real4 c, real squared) const {
    const real x = max(max(box.lower.x - c.x, c.x - box.upper.x), real{0});
    const real y = max(max(box.lower.y - c.y, c.y - box.upper.y), real{0});
    const real z = max(max(box.lower.z - c.z, c.z - box.upper.z), real{0});
    return max(sqrt(squared) - cell.w, sqrt(x * x + y * y + z * z));
  }
};

/// Returns whether a source acts on the target as a whole:
///     (r_A + r_B) / d < theta,   ((rho_A + rho_B) / d)^P m' / d^2 < tolerance * acceleration.
/// A source smaller than the target has neighbours in the same direction, whose errors add up. So
/// m' is the mass of a source of the target's size: m_B (rho_A / rho_B)^3, at most the whole mass.
__device__ inline bool actsOnCell(const Acceptance& rule,
                                  const Target& a,
                                  real4 b,
                                  const CellSummary& source,
                                  real squared,
                                  real wholeMass) {
  const real reach = a.cell.w + b.w;
  if (reach * reach >= rule.theta * rule.theta * squared) return false;
  const real inverse = rsqrt(squared);
  const real ratio = max(real{1}, a.size / source.size);
  const real mass = min(wholeMass, source.mass * (ratio * ratio * ratio));
  const real error =
      power((a.size + source.size) * inverse, rule.order) * mass * (inverse * inverse);
  return error * a.perAllowedError < 1;
}

/// Returns whether a source acts, as its quadrupole, on each body of the target. The nearest is at
/// least g away: r_B / g < 0.6 theta and (rho_B / g)^3 m_B / g^2 < tolerance * acceleration.
__device__ inline bool actsOnBodies(const Acceptance& rule,
                                    const Target& a,
                                    real4 b,
                                    const CellSummary& source,
                                    real squared) {
  const real gap = a.gapTo(b, squared);
  if (b.w >= real(0.6) * rule.theta * gap) return false;
  const real inverse = 1 / gap;
  const real error = power(source.size * inverse, 3) * source.mass * (inverse * inverse);
  return error * a.perAllowedError < 1;
}

/// Writes the sources of a warp's targets into chunks.
class ChunkWriter {
 public:
  __device__ explicit ChunkWriter(const Lists& lists) : lists_(lists) {}

  /// Appends \p count <= 32 sources of \p from to a chain whose chunks are all full.
  /// \param last  the chain's last chunk
  __device__ void put(Chain& chain, int& last, const int* from, int count) {
    if (next_ == end_) reserve();
    if (next_ >= lists_.chunkRoom) return;  // Lists::full() reports it
    const int lane = threadIdx.x % kLanes;
    if (lane < count) lists_.sources[kChunk * next_ + lane] = from[lane];
    if (chain.count == 0) chain.first = next_;
    else if (lane == 0) lists_.next[last] = next_;
    last = next_++;
    chain.count += count;
  }

 private:
  __device__ void reserve() {
    int first = 0;
    if (threadIdx.x % kLanes == 0) first = atomicAdd(&lists_.state->chunks, kChunksAtOnce);
    next_ = __shfl_sync(kAllLanes, first, 0);
    end_ = next_ + kChunksAtOnce;
  }

  const Lists& lists_;
  int next_ = 0, end_ = 0;
};

/// A warp's shared memory: found sources, up to 64 of each kind, and nodes still to be divided. An
/// iteration divides the deepest of them, so at most 32 wait at each level.
struct ListMemory {
  int far[2 * kLanes], near[2 * kLanes], points[2 * kLanes];
  int stack[kLanes * (kKeyLevels + 1)];
};

/// One kind of a target's sources: those that wait for a full chunk, and the chain of chunks.
struct SourceQueue {
  int* waiting;
  int count = 0;
  Chain chain = {0, 0};
  int last = 0;

  __device__ void add(bool have, int slot) { count = append(waiting, count, have, slot); }
  __device__ bool isFull() const { return count >= kLanes; }
  /// Moves 32 of the waiting sources, or the rest, into a chunk.
  __device__ void flush(ChunkWriter& chunks) {
    const int moved = min(count, kLanes);
    if (moved == 0) return;
    count -= moved;
    chunks.put(chain, last, waiting + count, moved);
  }
};

/// Begins a new share of a leaf's long list with \p queue 's last chunk, if that is the first chunk
/// of a share. Returns the leaf's last share.
/// \param last  the last share so far, or -1
__device__ inline int shareOf(const Lists& lists,
                              int slot,
                              const SourceQueue& queue,
                              int before,
                              bool ofCells,
                              int last) {
  if (before == 0 || before % kShareSources != 0 || queue.chain.count == before) return last;
  if (threadIdx.x % kLanes == 0) {
    const int place = atomicAdd(&lists.state->shares, 1);
    if (place < lists.shareRoom) {
      lists.shares[place] = {slot, queue.last, before, last, ofCells};
      last = place;
    }
  }
  return __shfl_sync(kAllLanes, last, 0);
}

/// Each warp takes one target of \p level after the other, and finds its sources.
/// Shared memory: ListMemory per warp. Barriers: only of warps.
static __global__ void __launch_bounds__(kListWarps* kLanes)
    listsKernel(Tree tree, Expansions f, Lists lists, Acceptance rule, int level) {
  __shared__ ListMemory memory[kListWarps];
  ListMemory& own = memory[threadIdx.x / kLanes];
  const int lane = threadIdx.x % kLanes;
  const int targets = lists.state->targets[level];
  const real wholeMass = f.summaries[0].mass;
  ChunkWriter chunks(lists);
  while (true) {
    int taken = 0;
    if (lane == 0) taken = atomicAdd(&lists.state->nextTarget[level], 1);
    taken = __shfl_sync(kAllLanes, taken, 0);
    if (taken >= targets) return;
    const int slot = lists.targets[std::size_t(level) * lists.slotCount + taken];
    const CellSummary summary = f.summaries[slot];
    const Target a = {summary.link == kLeafChild,
                      f.centres[slot],
                      summary.size,
                      rule.perAllowedError(summary.previousAcceleration),
                      tree.moments.boxes[slot]};
    const bool hasShares = a.isLeaf && tree.cells.ranges[slot].y <= kTargetsOfWarp;

    SourceQueue far = {own.far}, near = {own.near}, points = {own.points};
    int share = -1;
    const auto flush = [&](SourceQueue& queue, bool ofCells) {
      const int before = queue.chain.count;
      queue.flush(chunks);
      if (hasShares) share = shareOf(lists, slot, queue, before, ofCells, share);
    };

    // The parent's near cells. At the last level each target begins with the root.
    const int around = lists.around[slot];
    Chain left = around < 0 ? Chain{0, 1} : lists.near[around];
    int waiting = 0;  // nodes on the stack
    while (waiting > 0 || left.count > 0) {
      int source = 0;
      bool have;
      if (waiting > 0) {
        const int opened = min(waiting, kOpenedAtOnce);
        waiting -= opened;
        have = lane / 8 < opened;
        if (have) source = slotOf(own.stack[waiting + lane / 8], lane % 8);
      } else {
        have = lane < left.count;
        if (have && around >= 0) source = lists.sources[kChunk * left.first + lane];
        left.count -= kChunk;
        if (left.count > 0) left.first = lists.next[left.first];
      }
      const CellSummary of = f.summaries[source];
      const real4 b = f.centres[source];
      have = have && of.link != kNoChild;
      const real x = a.cell.x - b.x, y = a.cell.y - b.y, z = a.cell.z - b.z;
      const real squared = x * x + y * y + z * z;
      const bool onCell = have && actsOnCell(rule, a, b, of, squared, wholeMass);
      const bool onBodies = have && !onCell && a.isLeaf && actsOnBodies(rule, a, b, of, squared);
      const bool isNear = have && !onCell && !onBodies;
      const bool divided = isNear && of.link != kLeafChild && (a.isLeaf || b.w > a.cell.w);
      __syncwarp();  // the stack is read
      waiting = append(own.stack, waiting, divided, of.link);
      far.add(onCell, source);
      near.add(isNear && !divided, source);
      points.add(onBodies, source);
      __syncwarp();  // stack and queues are whole
      if (far.isFull()) far.flush(chunks);
      if (near.isFull()) flush(near, false);
      if (points.isFull()) flush(points, true);
    }
    far.flush(chunks);
    flush(near, false);
    flush(points, true);
    if (lane == 0) {
      lists.far[slot] = far.chain;
      lists.near[slot] = near.chain;
      lists.points[slot] = points.chain;
      lists.lastShare[slot] = share;
    }
    __syncwarp();  // the queues are read
  }
}

}  // namespace nbody::fmm
