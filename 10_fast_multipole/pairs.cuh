/// \file
/// Finds which cells act on which. A target begins with the sources that its parent left to it, at
/// first the root, and asks three questions about each of them:
///
/// - Are the two far from each other? Then the source acts on the target as a whole (M2L).
/// - Is the target a node, and the source a leaf or not larger? Then it is left to the target's children.
/// - Otherwise the source is divided, and the same questions are asked about each of its children.
///
/// A target that is a leaf has no children. It first asks whether a source is far from each of its
/// bodies (M2P), and divides the others until only leaves are left, whose bodies act on its own one
/// by one (P2P).
#pragma once

#include "06_tree_walk/walk/warp_queues.cuh"
#include "07_device_tree/tree/memory.cuh"

namespace nbody::inline NBODY_PRECISION::fmm {

using tree::Bounds;
using tree::childIndex;
using tree::kKeyLevels;
using tree::kLeafChild;
using tree::kNoChild;
using tree::Tree;
using walk::append;
using walk::kAllLanes;
using walk::kLanes;

constexpr int kBlock = 128;  ///< threads of a block
constexpr int kOpenedAtOnce = kLanes / 8;  ///< nodes that a warp divides at once, a lane per child

/// The fate of a source: it enters one of four lists of the target, or is divided. kLeft: it is left
/// over for the target's children
enum Kind { kM2l, kM2p, kP2p, kLeft, kLists, kDivided, kNone };  // kLists: how many; kNone: no source

/// The lists of a target, in a row: list k is from begin[k] to begin[k + 1] - 1.
struct SourceLists {
  int begin[kLists + 1];
};

/// Counts that only the device knows.
struct PairState {
  unsigned long long sources;  ///< length of all lists
  unsigned long long targets[kKeyLevels + 2];  ///< number of targets at each level
};

struct Pairs {
  SourceLists* lists;  ///< of each target
  int* sources;  ///< all lists: indices of cells
  int capacity;  ///< sources for which there is memory
  int* targets;  ///< indices of all cells, level by level
  PairState* state;

  /// Returns whether all lists are whole. If not, no force is written, and the evaluation is repeated
  /// with more memory.
  __device__ bool areWhole() const { return state->sources <= static_cast<unsigned>(capacity); }
};

/// Returns (r_A + r_B) / d < theta. A cell is its centre of mass and its radius, within which it has
/// all its bodies.
__device__ inline bool areFar(real4 a, real4 b, real theta) {
  const real x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, reach = a.w + b.w;
  return reach * reach < theta * theta * (x * x + y * y + z * z);
}

/// Returns whether a source is far from each body of a leaf: r_B / gap < theta / 2, with the gap
/// between its centre and the leaf's box. The sphere around a few bodies at the edge of a cluster
/// can reach through all of it. Then no source would be far.
__device__ inline bool isFarFromBox(real4 b, const Bounds& box, real theta) {
  const real x = max(max(box.lower.x - b.x, b.x - box.upper.x), real{0});
  const real y = max(max(box.lower.y - b.y, b.y - box.upper.y), real{0});
  const real z = max(max(box.lower.z - b.z, b.z - box.upper.z), real{0});
  return 4 * b.w * b.w < theta * theta * (x * x + y * y + z * z);
}

/// A target, as its warp keeps it.
struct TargetCell {
  int link;
  real4 cell;
  Bounds box;
};

/// Answers the questions about a target and the source that \p link belongs to.
__device__ inline Kind kindOf(const TargetCell& target, real4 source, int link, real theta) {
  if (link == kNoChild) return kNone;
  if (areFar(target.cell, source, theta)) return kM2l;
  const bool isLeaf = link == kLeafChild;
  if (target.link != kLeafChild) return isLeaf || target.cell.w >= source.w ? kLeft : kDivided;
  if (isFarFromBox(source, target.box, theta)) return kM2p;
  return isLeaf ? kP2p : kDivided;
}

/// A warp finds the sources of the \p target, in an order that is always the same.
/// \param left   places of the sources that the parent left: from x to y - 1
/// \param stack  shared memory for nodes to be divided. The deepest are divided first, so at most 32
///               wait at each level.
/// \param lists  null: none is written
/// \param found  out: number of sources of each kind
static __device__ void findSources(const Tree& tree,
                                   const Pairs& pairs,
                                   real theta,
                                   const TargetCell& target,
                                   int2 left,
                                   int* stack,
                                   const SourceLists* lists,
                                   int* found) {
  const int lane = threadIdx.x % kLanes;
  int waiting = 0;
  for (int k = 0; k < kLists; ++k) found[k] = 0;
  while (waiting > 0 || left.x < left.y) {
    int source = -1;
    if (waiting > 0) {
      const int opened = min(waiting, kOpenedAtOnce);
      waiting -= opened;
      if (lane / 8 < opened) source = childIndex(stack[waiting + lane / 8], lane % 8);
    } else {
      if (left.x + lane < left.y) source = pairs.sources[left.x + lane];
      left.x += kLanes;
    }
    const int link = source < 0 ? kNoChild : links(tree.cells)[source];
    const real4 cell = link == kNoChild ? real4{} : tree.moments.centres[source];
    const Kind kind = kindOf(target, cell, link, theta);
    __syncwarp();  // the stack is read
    waiting = append(stack, waiting, kind == kDivided, link);
    for (int k = 0; k < kLists; ++k) {
      const unsigned lanes = __ballot_sync(kAllLanes, kind == k);
      const int place = found[k] + __popc(lanes & ((1u << lane) - 1));
      if (lists && kind == k) pairs.sources[lists->begin[k] + place] = source;
      found[k] += __popc(lanes);
    }
    __syncwarp();  // the stack is whole
  }
}

/// Starts with the root, as the only target and the only source.
static __global__ void rootPairKernel(Pairs pairs) {
  pairs.targets[0] = pairs.sources[0] = childIndex(0, 0);
  pairs.state->sources = 1;
  for (unsigned long long& targets : pairs.state->targets) targets = 0;
  pairs.state->targets[0] = 1;
}

/// A warp per target of \p level finds its sources: it counts them, takes memory, and writes them. Its
/// children become targets of the next level.
/// Shared memory: a stack per warp. Barriers: only of warps.
static __global__ void __launch_bounds__(kBlock)
    pairsKernel(Tree tree, Pairs pairs, real theta, int level) {
  __shared__ int stacks[kBlock / kLanes][kLanes * (kKeyLevels + 1)];
  if (tree.cells.state->leaves == 0) return;
  int* stack = stacks[threadIdx.x / kLanes];
  const int lane = threadIdx.x % kLanes, warps = gridDim.x * blockDim.x / kLanes;
  int* targets = pairs.targets;
  for (int l = 0; l < level; ++l) targets += pairs.state->targets[l];
  const int count = pairs.state->targets[level];
  int t = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  for (; t < count; t += warps) {
    const int cell = targets[t], node = cell / 8 - 1;
    int2 left = {0, 1};
    if (node >= 0) {
      const SourceLists& parent = pairs.lists[tree.cells.nodeCell[node].x];
      left = {parent.begin[kLeft], parent.begin[kLeft + 1]};
    }
    int found[kLists];
    const TargetCell target = {
        links(tree.cells)[cell], tree.moments.centres[cell], tree.moments.boxes[cell]};
    findSources(tree, pairs, theta, target, left, stack, nullptr, found);
    SourceLists lists = {};
    const int all = found[kM2l] + found[kM2p] + found[kP2p] + found[kLeft];
    unsigned long long begin = 0;
    if (lane == 0) begin = atomicAdd(&pairs.state->sources, all);
    begin = __shfl_sync(kAllLanes, begin, 0);
    if (begin + all <= static_cast<unsigned>(pairs.capacity)) {
      lists.begin[0] = static_cast<int>(begin);
      for (int k = 0; k < kLists; ++k) lists.begin[k + 1] = lists.begin[k] + found[k];
      findSources(tree, pairs, theta, target, left, stack, &lists, found);
    }
    if (lane == 0) pairs.lists[cell] = lists;

    if (target.link == kLeafChild) continue;
    const int child = childIndex(target.link, lane % 8);
    const bool have = lane < 8 && links(tree.cells)[child] != kNoChild;
    const int children = __popc(__ballot_sync(kAllLanes, have));
    int place = 0;
    if (lane == 0) place = atomicAdd(&pairs.state->targets[level + 1], children);
    append(targets + count, __shfl_sync(kAllLanes, place, 0), have, child);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm
