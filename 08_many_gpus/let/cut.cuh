/// \file
/// The locally essential tree (Warren and Salmon 1992): what another rank's walk can need of this
/// rank's tree.
#pragma once

#include "let/boundary.cuh"
#include "tree/device_octree.cuh"

namespace nbody {

/// A cell as it travels. Its numbers are those of the message: nodes 0, 1, ..., and bodies.
struct alignas(sizeof(real4)) SentCell {
  real4 centre;  ///< as of TreeLayout
  real4 rest;  ///< xy, xz, yz, second moment
  real2 reach;
  real xx, yy;  ///< zz follows, for the quadrupole has no trace
  real mass;
  int slot;  ///< of the message's nodes
  int first;  ///< a node's number; or of the bodies that come with a leaf
  int bodies;  ///< that come with it; or kSentNode
};
constexpr int kSentNode = -1;
static_assert(sizeof(SentCell) == 4 * sizeof(real4));

/// How much of a tree there is for another rank.
struct SentCounts {
  int cells, bodies;
  int nodes[kKeyLevels + 2];  ///< that were opened, by their depth below the node above the tree

  __host__ __device__ int nodesAbove(int level) const {
    int sum = 0;
    for (int l = 0; l < level; ++l) sum += nodes[l];
    return sum;
  }
};

/// The messages for all other ranks, with room for as much for each. Counts go on where a message is
/// full.
struct SentTrees {
  SentCell* cells;
  real4* bodies;
  int* words;  ///< this tree's main array has them: of each node of a message, cellRoom for each
  SentCounts* counts;  ///< all 0 before the first level
  int cellRoom, bodyRoom;
};

/// Whether some group of the rank whose \p boxes these are opens the cell at \p slot. From the first
/// boxes down: into those that open it, past those that do not.
__device__ inline bool opensAny(const TreeView& tree,
                                const OpensByReach& rule,
                                const BoundaryBox* boxes,
                                BoundaryLevels levels,
                                int slot) {
  int level = 0;
  for (int b = 0; b < levels.atLevel(level);) {  // box b of its level
    const BoundaryBox& box = boxes[levels.before(level) + b];
    const real4 low = box.lower, high = box.upper;
    if (rule.opens(tree, {{low.x, low.y, low.z}, {high.x, high.y, high.z}, 0, 0}, low.w, slot)) {
      if (level == levels.finest()) return true;
      ++level;
      b *= BoundaryLevels::kFiner;
    } else {
      ++b;
      for (; level > 0 && b % BoundaryLevels::kFiner == 0; --level) b /= BoundaryLevels::kFiner;
    }
  }
  return false;
}

/// The cell at \p slot, which acts as a whole on all: no group there is as near as 0.
__device__ inline SentCell closedCell(const TreeView& tree, int slot, int sentSlot) {
  const real4 centre = tree.centres[slot];
  const real4 q = tree.moments[momentsOf(slot)];
  const real4 rest = tree.moments[momentsOf(slot) + 1];
  return {{centre.x, centre.y, centre.z, 0}, rest, {0, 0}, q.x, q.y, q.w, sentSlot, 0, 0};
}

/// A team for each node that has come into a message at \p level, a lane for each child: all children
/// are sent, and of those that the other rank can open their nodes or bodies. Row y of blocks: the
/// message for the rank y + 1 further on.
/// \param boxes  of all ranks
/// \param bodies  this rank's, in the space-filling order
static __global__ void cutKernel(TreeView tree,
                                 OpensByReach rule,
                                 const real4* bodies,
                                 const BoundaryBox* boxes,
                                 BoundaryLevels levels,
                                 int rank,
                                 int level,
                                 SentTrees sent) {
  const int ranks = gridDim.y + 1;
  const int to = (rank + 1 + blockIdx.y) % ranks;
  SentCounts& counts = sent.counts[blockIdx.y];
  SentCell* cells = sent.cells + static_cast<std::size_t>(blockIdx.y) * sent.cellRoom;
  real4* sentBodies = sent.bodies + static_cast<std::size_t>(blockIdx.y) * sent.bodyRoom;
  int* words = sent.words + static_cast<std::size_t>(blockIdx.y) * sent.cellRoom;
  const int* links = reinterpret_cast<const int*>(tree.links);
  const int lane = threadIdx.x % kTeam;
  const int before =
      level == 0 ? 0 : 1 + counts.nodesAbove(level);  // the one above the tree is first
  const int nodes = level == 0 ? 1 : counts.nodes[level];
  const int teams = gridDim.x * blockDim.x / kTeam;
  for (int k = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; k < nodes; k += teams) {
    const int number = before + k;
    if (number >= sent.cellRoom) return;
    const int slot = slotOf(level == 0 ? 0 : words[number], lane);
    const int link = links[slot];
    if (link == kNoChild) continue;
    SentCell cell = closedCell(tree, slot, 8 * number + lane);
    if (opensAny(tree, rule, boxes + to * levels.count(), levels, slot)) {
      cell.centre.w = tree.centres[slot].w;
      cell.reach = rule.reaches[slot];
      if (link != kLeafChild) {
        cell.bodies = kSentNode;
        cell.first = before + nodes + atomicAdd(&counts.nodes[level + 1], 1);
        if (cell.first < sent.cellRoom) words[cell.first] = link;
      } else {
        const int2 range = tree.bodies[slot];
        cell.bodies = range.y;
        cell.first = atomicAdd(&counts.bodies, range.y);
        for (int i = 0; i < range.y && cell.first + i < sent.bodyRoom; ++i)
          sentBodies[cell.first + i] = bodies[range.x + i];
      }
    }
    const int place = atomicAdd(&counts.cells, 1);
    if (place < sent.cellRoom) cells[place] = cell;
  }
}

/// Puts a cutKernel for each level that a tree can have on the stream \p on, for \p others other ranks.
inline void launchCut(const DeviceOctree& octree,
                      const BoundaryBox* boxes,
                      BoundaryLevels levels,
                      int rank,
                      int others,
                      const SentTrees& sent,
                      cudaStream_t on) {
  CUDA_CHECK(cudaMemsetAsync(sent.counts, 0, others * sizeof(SentCounts), on));
  const TreeArrays& tree = octree.arrays();
  constexpr int kBlock = 128;
  const unsigned most = blocksFor(1LL * kTeam * (tree.count / tree.leaf + 1), kBlock);
  const dim3 grid(std::min<unsigned>(most, 4 * multiprocessors()), others);
  const OpensByReach rule = {tree.reaches, nullptr};
  for (int level = 0; level <= kKeyLevels; ++level)
    cutKernel<<<grid, kBlock, 0, on>>>(
        octree.view(), rule, tree.bodies, boxes, levels, rank, level, sent);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
