/// \file
/// Finds which cells act on which targets. Large targets come first. Each looks at the cells that
/// the target around it, its parent, left to it:
///
/// - A source that is far enough acts on the target as a whole.
/// - A source that is larger than the target is divided into its children.
/// - Others are left to the targets within this one. A bundle has none, so it divides all of them.
/// Cells that are small enough then act on each body of the bundle. Other leaves act body by body.
#pragma once

#include "10_fast_multipole/tuned/targets.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using walk::append;

constexpr int kListWarps = 4;  ///< warps of a block
constexpr int kListBlocks = 10;  ///< blocks per multiprocessor, as many as registers allow
constexpr int kOpenedAtOnce = kLanes / 8;  ///< nodes that a warp divides: a lane for each child

/// Decides when a source is far enough.
struct Acceptance {
  static constexpr real kMost = std::numeric_limits<real>::max();

  int order;
  real theta;  ///< (r_A + r_B) / d is below this
  real tolerance;  ///< largest error of one interaction, per previous acceleration of the target
  real softeningSquared;

  /// Returns 1 / (tolerance * acceleration), the factor on errors.
  __device__ real perAllowedError(real acceleration) const {
    const real allowed = tolerance * acceleration;
    return allowed * kMost > 1 ? 1 / allowed : kMost;
  }
};

/// A target's size is at least this share of its radius. The expansion is worst at a body far outside
/// of the others, which hardly changes rho: without this bound, its error came to 9% of its pulls.
constexpr real kLeastShare = 0.6;

/// Properties of a target that its warp keeps in registers.
struct Listed {
  bool isBundle;
  real4 centre;  ///< and radius
  Bounds box;
  real size;  ///< rho
  real perAllowedError;

  /// Returns a distance from \p c within which the target has no body, by its sphere and its box.
  /// The sphere around a few bodies far outside can reach through all others.
  __device__ real gapTo(real4 c, real squared) const {
    const real x = max(max(box.lower.x - c.x, c.x - box.upper.x), real{0});
    const real y = max(max(box.lower.y - c.y, c.y - box.upper.y), real{0});
    const real z = max(max(box.lower.z - c.z, c.z - box.upper.z), real{0});
    return max(sqrt(squared) - centre.w, sqrt(x * x + y * y + z * z));
  }
};

__device__ inline real power(real x, int n) {
  real result = x;
  for (int k = 1; k < n; ++k) result *= x;
  return result;
}

/// Returns whether a source acts on the target as a whole:
///     (r_A + r_B) / d < theta,   ((rho_A + rho_B) / d)^P m' / d^2 < tolerance * acceleration.
/// A source smaller than the target has neighbours in the same direction, whose errors add up. So
/// m' is the mass of a source of the target's size: m_B (rho_A / rho_B)^3, at most the whole mass.
/// With softening, the series converges for d^2 = |R|^2 + epsilon^2. So a clump that is small
/// compared with epsilon acts as a whole on its own bodies, however many there are.
__device__ inline bool actsOnTarget(const Acceptance& rule,
                                    const Listed& a,
                                    real4 b,
                                    const CellSummary& source,
                                    real squared,
                                    real wholeMass) {
  squared += rule.softeningSquared;
  const real reach = a.centre.w + b.w;
  if (reach * reach >= rule.theta * rule.theta * squared) return false;
  const real inverse = rsqrt(squared);
  const real ratio = max(real{1}, a.size / source.size);
  const real mass = min(wholeMass, source.mass * (ratio * ratio * ratio));
  const real error =
      power((a.size + source.size) * inverse, rule.order) * mass * (inverse * inverse);
  return error * a.perAllowedError < 1;
}

/// Returns whether a source acts, as its quadrupole, on each body of the target. The nearest is at
/// least g away: r_B / g < 0.8 theta and (rho_B / g)^3 m_B / g^2 < tolerance * acceleration.
__device__ inline bool actsOnBodies(const Acceptance& rule,
                                    const Listed& a,
                                    real4 b,
                                    const CellSummary& source,
                                    real squared) {
  const real gap = a.gapTo(b, squared);
  if (b.w >= real(0.8) * rule.theta * gap) return false;
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
    if (next_ >= lists_.chunkCapacity) return;  // Lists::incomplete() reports it
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

  __device__ void add(bool have, int cell) { count = append(waiting, count, have, cell); }
  __device__ bool isFull() const { return count >= kLanes; }
  /// Moves 32 of the waiting sources, or the rest, into a chunk.
  __device__ void flush(ChunkWriter& chunks) {
    const int moved = min(count, kLanes);
    if (moved == 0) return;
    count -= moved;
    chunks.put(chain, last, waiting + count, moved);
  }
};

/// Begins a new segment of a target's long list with \p queue 's last chunk, if that is the first
/// chunk of a segment. Returns the target's last segment.
/// \param before  sources in the list without that chunk
/// \param last    the last segment so far, or -1
__device__ inline int segmentOf(const Lists& lists,
                                int target,
                                const SourceQueue& queue,
                                int before,
                                bool ofCells,
                                int last) {
  if (before == 0 || before % lists.segment != 0 || queue.chain.count == before) return last;
  if (threadIdx.x % kLanes == 0) {
    const int place = atomicAdd(&lists.state->segments, 1);
    if (place < lists.segmentCapacity) {
      lists.segments[place] = {target, queue.last, before, last, ofCells};
      last = place;
    }
  }
  return __shfl_sync(kAllLanes, last, 0);
}

/// Each warp takes one target of \p level after the other, and finds its sources.
/// Shared memory: ListMemory per warp. Barriers: only of warps.
static __global__ void __launch_bounds__(kListWarps* kLanes, kListBlocks)
    listsKernel(Expansions f, Targets targets, Lists lists, Acceptance rule, int level) {
  __shared__ ListMemory memory[kListWarps];
  ListMemory& own = memory[threadIdx.x / kLanes];
  const int lane = threadIdx.x % kLanes;
  if (lists.crowded()) return;
  const int count = lists.state->targets[level];
  const real wholeMass = f.summaries[0].mass;
  ChunkWriter chunks(lists);
  while (true) {
    const int taken = take(&lists.state->nextList[level]);
    if (taken >= count) return;
    const int number = targets.at(level, taken);
    const Target& t = targets.of[number];
    const Listed a = {level == 0,
                      t.centre,
                      t.box,
                      max(t.size, kLeastShare * t.centre.w),
                      rule.perAllowedError(t.previousAcceleration)};
    const int parent = t.parent;

    SourceQueue far = {own.far}, near = {own.near}, points = {own.points};
    int segment = -1;
    const auto flush = [&](SourceQueue& queue, bool ofCells) {
      const int before = queue.chain.count;
      queue.flush(chunks);
      if (a.isBundle) segment = segmentOf(lists, number, queue, before, ofCells, segment);
    };

    // The parent's near cells. A target without a parent begins with the root.
    Chain left = parent < 0 ? Chain{0, 1} : targets.lists[parent].near;
    int waiting = 0;  // nodes on the stack
    while (waiting > 0 || left.count > 0) {
      int source = 0;
      bool have;
      if (waiting > 0) {
        const int opened = min(waiting, kOpenedAtOnce);
        waiting -= opened;
        have = lane / 8 < opened;
        if (have) source = childIndex(own.stack[waiting + lane / 8], lane % 8);
      } else {
        have = lane < left.count;
        if (have && parent >= 0) source = lists.sources[kChunk * left.first + lane];
        left.count -= kChunk;
        if (left.count > 0) left.first = lists.next[left.first];
      }
      const CellSummary of = f.summaries[source];
      const real4 b = f.centres[source];
      have = have && of.link != kNoChild;
      const real x = a.centre.x - b.x, y = a.centre.y - b.y, z = a.centre.z - b.z;
      const real squared = x * x + y * y + z * z;
      const bool onTarget = have && actsOnTarget(rule, a, b, of, squared, wholeMass);
      const bool onBodies =
          have && !onTarget && a.isBundle && actsOnBodies(rule, a, b, of, squared);
      const bool isNear = have && !onTarget && !onBodies;
      const bool divided = isNear && of.link != kLeafChild && (a.isBundle || b.w > a.centre.w);
      __syncwarp();  // the stack is read
      waiting = append(own.stack, waiting, divided, of.link);
      far.add(onTarget, source);
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
    if (lane == 0) targets.lists[number] = {far.chain, near.chain, points.chain, segment};
    __syncwarp();  // the queues are read
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
