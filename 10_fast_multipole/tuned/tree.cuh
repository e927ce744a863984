/// \file
/// Step 07's tree with less work: keys of fewer levels, searches that end after as many bodies as a
/// leaf may have, a prefix sum of single words, and a team of lanes that searches for each cell.
#pragma once

#include <cub/device/device_scan.cuh>

#include "07_device_tree/tree/links.cuh"
#include "07_device_tree/tree/moments.cuh"
#include "10_fast_multipole/tuned/memory.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using tree::CellSums;
using tree::digit;
using tree::gridPlace;
using tree::HilbertTurns;
using tree::kTeam;
using tree::lastInCell;
using tree::sharedDigits;
using tree::SortedBodies;
using tree::Span;
using tree::Starts;
using tree::teamOfLanes;
using tree::TreeState;

/// Finds the root as extentsKernel() and movingRootKernel() do: the block that ends last adds up the
/// parts of all blocks. It also clears the counts of the lists.
/// \param arrived  0 at the start, and at the end again
/// Shared memory: a CellSums per thread. Barriers: 2.
static __global__ void rootOfBodiesKernel(const real4* __restrict__ bodies,
                                          int count,
                                          CellSums* parts,
                                          unsigned* arrived,
                                          TreeState* state,
                                          tree::Spread* spread,
                                          ListState* lists) {
  extern __shared__ CellSums sumsOfThreads[];
  __shared__ bool isLast;
  const CellSums own = tree::sumsOfThread(bodies, count, {bodies->x, bodies->y, bodies->z});
  const CellSums part = sumOverBlock(own, tree::noSums(), sumsOfThreads);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();  // the part is written before it is counted
    isLast = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();  // isLast is known
  if (!isLast || threadIdx.x >= 32) return;
  __threadfence();  // the parts are read after they were counted
  const CellSums all = sumByWarp(parts, static_cast<int>(gridDim.x), tree::noSums());
  if (threadIdx.x != 0) return;
  tree::setRoot(all, *state, *spread);
  *lists = {};
}

/// Computes keys as keysKernel() does, but only their first kLevels digits. The others are 0.
/// Shared memory: the curve's table. Barriers: 1.
template <int kLevels>
__global__ void shortKeysKernel(const real4* __restrict__ bodies,
                                int count,
                                const TreeState* state,
                                std::uint64_t* keys,
                                int* places) {
  __shared__ HilbertTurns turns;
  for (int k = threadIdx.x; k < static_cast<int>(sizeof turns); k += blockDim.x)
    turns.byOctant[k] = tree::theTurns.byOctant[k];
  __syncthreads();  // the table is whole
  const double3 lower = state->root.lower;
  const double cellsPerLength = (1 << kKeyLevels) / state->root.side;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const real4 body = bodies[i];
    const unsigned x = gridPlace(body.x, lower.x, cellsPerLength),
                   y = gridPlace(body.y, lower.y, cellsPerLength),
                   z = gridPlace(body.z, lower.z, cellsPerLength);
    std::uint64_t key = 0;
    unsigned turn = 0;  // orientation and digit
#pragma unroll
    for (int bit = kKeyLevels - 1; bit >= kKeyLevels - kLevels; --bit) {
      const unsigned octant = (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
      turn = turns.byOctant[(turn & 0xf8) | octant];
      key = key << 3 | (turn & 7);
    }
    keys[i] = key << 3 * (kKeyLevels - kLevels);
    places[i] = i;
  }
}

/// Leaves that start at a body in the lower half of a word, nodes in the upper half; after the
/// prefix sum, before it. A sum of words is twice as fast as of Starts.
using PackedStarts = unsigned long long;

__host__ __device__ inline Starts unpacked(PackedStarts s) {
  return {static_cast<int>(s & 0xffffffff), static_cast<int>(s >> 32), 0};
}

constexpr int kStartsBlock = 256;
constexpr int kMostLeaf = 64;  ///< a leaf has fewer bodies

/// The keys of a block's bodies and of kMostLeaf bodies on both sides, in shared memory.
struct NearKeys {
  std::uint64_t keys[kStartsBlock + 2 * kMostLeaf];

  __device__ static int first() { return blockIdx.x * kStartsBlock - kMostLeaf; }
  __device__ std::uint64_t operator[](int body) const { return keys[body - first()]; }
  __device__ void load(const SortedBodies& sorted) {
    for (int k = threadIdx.x; k < kStartsBlock + 2 * kMostLeaf; k += kStartsBlock)
      if (first() + k >= 0 && first() + k < sorted.count) keys[k] = sorted.keys[first() + k];
  }
  /// Returns the first body, from \p low on, in the cell of body \p of at \p level.
  __device__ int beginOf(int low, int of, int level) const {
    const int shift = 3 * (kKeyLevels - level);
    const std::uint64_t cell = (*this)[of] >> shift;
    for (int high = of; low < high;) {
      const int middle = (low + high) >> 1;
      if ((*this)[middle] >> shift == cell) high = middle;
      else low = middle + 1;
    }
    return low;
  }
};

/// Returns what starts at body \p i > 0, as startsAt() does. A leaf ends if its cell has \p leaf
/// bodies, whether or not it has many more. Only at a node's first division is the rest looked at.
__device__ inline PackedStarts startsNear(const SortedBodies& sorted,
                                          const NearKeys& keys,
                                          int leaf,
                                          int i) {
  if (keys[i - 1] == keys[i]) return 0;
  const int level = sharedDigits(keys[i - 1], keys[i]), shift = 3 * (kKeyLevels - level);
  const std::uint64_t cell = keys[i] >> shift;
  const int lowest = max(i - leaf, 0), begin = keys.beginOf(lowest, i - 1, level);
  const int last = begin + leaf - 1;  // of a cell that is large enough
  if (last >= sorted.count || keys[last] >> shift != cell) return 0;
  // A node starts if the bodies before are all in one child of the cell.
  int child = keys.beginOf(lowest, i - 1, level + 1);
  if (child == lowest && lowest > 0) child = lastInCell(sorted, lowest, -1, level + 1);
  const bool isNode = child == 0 || sorted.keys[child - 1] >> shift != cell;
  return 1 + (PackedStarts{isNode} << 32);
}

/// Thread i copies body i to its place and writes what starts at it, as startsKernel() does.
/// \param crowded  out: whether a leaf is too large. That takes more levels, or equal keys
/// Shared memory: NearKeys. Barriers: 1.
static __global__ void __launch_bounds__(kStartsBlock)
    boundedStartsKernel(const real4* __restrict__ unsorted,
                        SortedBodies sorted,
                        int leaf,
                        PackedStarts* starts,
                        int* crowded) {
  __shared__ NearKeys keys;
  keys.load(sorted);
  const int i = blockIdx.x * kStartsBlock + threadIdx.x;
  real4 body;
  if (i < sorted.count) body = unsorted[sorted.order[i]];
  __syncthreads();  // the keys are loaded
  if (i > sorted.count) return;
  PackedStarts found = i == 0;
  if (i > 0 && i < sorted.count) found = startsNear(sorted, keys, leaf, i);
  if (i < sorted.count) sorted.bodies[i] = body;
  starts[i] = i < sorted.count ? found : 0;
  if (i >= leaf && i < sorted.count && keys[i] == keys[i - leaf]) atomicOr(crowded, 1);
}

inline void exclusiveScan(PackedStarts* starts, int count, DeviceBuffer<unsigned char>& scratch) {
  std::size_t bytes = 0;
  const auto call = [&](void* storage) {
    CUDA_CHECK(cub::DeviceScan::ExclusiveSum(storage, bytes, starts, starts, count, stream()));
  };
  call(nullptr);  // returns only the number of bytes
  call(scratch.reserve(bytes));
}

/// Does the work of cellsKernel(), without groups.
/// \param arrivals  out: 0 for each node
static __global__ void packedCellsKernel(SortedBodies sorted,
                                         Cells cells,
                                         const PackedStarts* starts,
                                         int* arrivals) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > sorted.count) return;
  const bool last = i == sorted.count;
  const Starts here = unpacked(starts[i]);
  const Starts next = last ? here + Starts{1, 0, 0} : unpacked(starts[i + 1]);
  if (next.leaves > here.leaves) cells.leafFirst[here.leaves] = i;
  const int4 none = {kNoChild, kNoChild, kNoChild, kNoChild};
  if (next.nodes > here.nodes && here.nodes < cells.nodeCapacity) {
    cells.secondChild[here.nodes] = i;
    arrivals[here.nodes] = 0;
    for (int k : {0, 1}) cells.links[firstLinkWord(here.nodes) + k] = none;
  }
  if (!last) return;
  for (int k : {0, 1}) cells.links[k] = none;  // of the node above the tree
  TreeState& state = *cells.state;
  const bool fits = here.nodes <= cells.nodeCapacity;
  state.leaves = fits ? here.leaves : 0;
  state.nodes = fits ? here.nodes : 0;
  state.nodesRequested = max(state.nodesRequested, here.nodes);
}

/// Returns what lastInCell() returns. Each lane of a team, with the same arguments, looks at a body.
__device__ inline int lastByTeam(const SortedBodies& sorted, int from, int direction, int level) {
  const unsigned team = teamOfLanes<kTeam>();
  const int lane = threadIdx.x % kTeam, shift = 3 * (kKeyLevels - level);
  const std::uint64_t cell = sorted.keys[from] >> shift;
  const auto insideOf = [&](int distance) {  // how many lanes' bodies, nearest first, are inside
    const int i = from + direction * distance;
    const bool in = i >= 0 && i < sorted.count && sorted.keys[i] >> shift == cell;
    return __popc(__ballot_sync(team, in) & team);
  };
  int in = 0, out = 1, found = kTeam;
  while (found == kTeam) {
    found = insideOf(static_cast<int>(min(static_cast<long long>(out) << lane, 1LL << 30)));
    in = found > 0 ? out << (found - 1) : in;
    out <<= found;
  }
  while (out - in > 1) {
    const int step = (out - in + kTeam) / (kTeam + 1);
    found = insideOf(min(in + step * (lane + 1), out));
    in += step * found;
    out = min(out, in + step);
  }
  return from + direction * in;
}

/// The index of a cell, and the level of its parent; -1: it is the root.
struct Place {
  int index, parentLevel;
};

/// Finds what cellIndexOf() finds, by a team of lanes.
__device__ inline Place placeFor(const SortedBodies& sorted,
                                 const PackedStarts* starts,
                                 const Span& cell) {
  const std::uint64_t* keys = sorted.keys;
  const int before = cell.first == 0 ? -1 : sharedDigits(keys[cell.first - 1], keys[cell.first]);
  const int behind =
      cell.end == sorted.count ? -1 : sharedDigits(keys[cell.end - 1], keys[cell.end]);
  const int level = max(before, behind);
  if (level < 0) return {childIndex(0, 0), level};
  const int first = lastByTeam(sorted, cell.first, -1, level);
  const int second = lastByTeam(sorted, first, 1, level + 1) + 1;
  return {childIndex(firstLinkWord(unpacked(starts[second]).nodes), digit(keys[cell.first], level)),
          level};
}

/// A cell's unit of length is its side, or this share of the softening if that is longer: if bodies are much closer together than
/// the softening, derivatives in units of the side would leave the range of FP32.
constexpr real kLeastUnit = 0x1p-30;

/// Does the work of linksKernel() with a team per cell. Also writes the cell's unit of length.
static __global__ void teamLinksKernel(SortedBodies sorted,
                                       Cells cells,
                                       const PackedStarts* starts,
                                       real softening,
                                       real* units) {
  const int leaves = cells.state->leaves, count = leaves + cells.state->nodes;
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int c = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; c < count; c += teams) {
    const int node = c - leaves;  // below 0: a leaf
    Span cell;
    if (node < 0) {
      cell = {cells.leafFirst[c], cells.leafFirst[c + 1], 0};
    } else {
      const int i = cells.secondChild[node];
      const int level = sharedDigits(sorted.keys[i - 1], sorted.keys[i]);
      cell = {lastByTeam(sorted, i - 1, -1, level), lastByTeam(sorted, i, 1, level) + 1, level};
    }
    const auto [index, parentLevel] = placeFor(sorted, starts, cell);
    if (threadIdx.x % kTeam != 0) continue;
    links(cells)[index] = node < 0 ? kLeafChild : firstLinkWord(node);
    cells.ranges[index] = {cell.first, cell.end - cell.first};
    const double side = cells.state->root.side;
    const real own = static_cast<real>(ldexp(side, -(parentLevel + 1)));
    units[index] = side > 0 ? max(own, kLeastUnit * softening) : 1;
    if (node < 0) cells.leafCell[c] = index;
    else cells.nodeCell[node] = {index, cell.level};
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
