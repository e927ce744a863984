/// \file
/// The locally essential tree (Warren and Salmon 1992): the part of this rank's tree that another
/// rank's walk may need.
#pragma once

#include "11_distributed_tree/boundary.cuh"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// A cell in a message. Its numbers are those of the message: nodes 0, 1, ..., and bodies.
struct alignas(sizeof(real4)) SentCell {
  real4 centre;  ///< see TreeLayout
  real4 rest;  ///< xy, xz, yz, second moment
  real2 radius;  ///< see OpensByAcceleration
  real xx, yy;  ///< zz is -xx - yy, because the quadrupole has no trace
  real mass;
  int index;  ///< among the cells of the message's nodes
  int first;  ///< number of a node, or first of the bodies sent with a leaf
  int bodies;  ///< number of bodies sent with the leaf; or kSentNode
};
constexpr int kSentNode = -1;
static_assert(sizeof(SentCell) == 4 * sizeof(real4));

/// The size of the part of a tree that is sent to another rank.
struct SentCounts {
  int cells, bodies;
  int nodes[kKeyLevels + 2];  ///< opened nodes, by their depth below the node above the tree

  __host__ __device__ int nodesAbove(int level) const {
    int sum = 0;
    for (int l = 0; l < level; ++l) sum += nodes[l];
    return sum;
  }
};

/// Messages to all other ranks, with the same memory for each. Counts continue if a message is
/// full, so that the next attempt has enough memory.
struct OutgoingTrees {
  SentCell* cells;
  real4* bodies;
  int*
      nodeNumbers;  ///< number in this tree's main array of each node of a message; cellCapacity per message
  SentCounts* counts;  ///< must be 0 before the first level
  int cellCapacity, bodyCapacity;
};

/// Returns \p cell as one that every group uses as a whole, with opening radius 0.
__device__ inline SentCell closedCell(const TreeView& tree, int cell, int sentIndex) {
  const real4 centre = tree.centres[cell];
  const real4 q = tree.moments[momentsOf(cell)];
  const real4 rest = tree.moments[momentsOf(cell) + 1];
  return {{centre.x, centre.y, centre.z, 0}, rest, {0, 0}, q.x, q.y, q.w, sentIndex, 0, 0};
}

/// Each warp takes a child of a node that was sent at \p level. All children are sent. If the other
/// rank can open a child, its own node or bodies are sent too. Row y of blocks fills the message to
/// the rank y + 1 further on.
/// \param boxes   boxes of all ranks
/// \param bodies  this rank's bodies, in the space-filling order
static __global__ void cutKernel(TreeView tree,
                                 OpensByAcceleration rule,
                                 const real4* bodies,
                                 const BoundaryBox* boxes,
                                 CoverLevels levels,
                                 int rank,
                                 int level,
                                 OutgoingTrees sent) {
  const int ranks = gridDim.y + 1;
  const int to = (rank + 1 + blockIdx.y) % ranks;
  SentCounts& counts = sent.counts[blockIdx.y];
  SentCell* cells = sent.cells + static_cast<std::size_t>(blockIdx.y) * sent.cellCapacity;
  real4* sentBodies = sent.bodies + static_cast<std::size_t>(blockIdx.y) * sent.bodyCapacity;
  int* nodeNumbers = sent.nodeNumbers + static_cast<std::size_t>(blockIdx.y) * sent.cellCapacity;
  const int* links = reinterpret_cast<const int*>(tree.links);
  const int before =
      level == 0 ? 0 : 1 + counts.nodesAbove(level);  // the node above the tree is first
  const int nodes = level == 0 ? 1 : counts.nodes[level];
  const int lane = threadIdx.x % 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (long long k = (blockIdx.x * blockDim.x + threadIdx.x) / 32; k < 8LL * nodes; k += warps) {
    const int number = before + static_cast<int>(k / 8);
    if (number >= sent.cellCapacity) return;
    const int index = childIndex(level == 0 ? 0 : nodeNumbers[number], k % 8);
    const int link = links[index];
    if (link == kNoChild) continue;
    SentCell cell = closedCell(tree, index, 8 * number + k % 8);
    const int2 range = tree.bodies[index];
    const bool opened = opensAny(tree, rule, boxes + to * levels.count(), levels, index);
    const bool opensLeaf = opened && link == kLeafChild;
    if (lane == 0) {
      if (opened) {
        cell.centre.w = tree.centres[index].w;
        cell.radius = rule.radii[index];
      }
      if (opensLeaf) {
        cell.bodies = range.y;
        cell.first = atomicAdd(&counts.bodies, range.y);
      } else if (opened) {
        cell.bodies = kSentNode;
        cell.first = before + nodes + atomicAdd(&counts.nodes[level + 1], 1);
        if (cell.first < sent.cellCapacity) nodeNumbers[cell.first] = link;
      }
      const int place = atomicAdd(&counts.cells, 1);
      if (place < sent.cellCapacity) cells[place] = cell;
    }
    const int first = __shfl_sync(0xffffffffu, cell.first, 0);
    for (int i = lane; opensLeaf && i < range.y && first + i < sent.bodyCapacity; i += 32)
      sentBodies[first + i] = bodies[range.x + i];
  }
}

/// Launches cutKernel on the suite's stream, once per level of a tree, for \p others other ranks.
inline void launchCut(const TunedTree& octree,
                      const BoundaryBox* boxes,
                      CoverLevels levels,
                      int rank,
                      int others,
                      const OutgoingTrees& sent) {
  CUDA_CHECK(cudaMemsetAsync(sent.counts, 0, others * sizeof(SentCounts), stream()));
  const Tree& tree = octree.tree();
  constexpr int kBlock = 128;
  const unsigned most = blocksFor(8LL * 32 * (tree.sorted.count / tree.cells.leaf + 1), kBlock);
  const dim3 grid(std::min<unsigned>(most, 8 * multiprocessors()), others);
  for (int level = 0; level <= kKeyLevels; ++level)
    cutKernel<<<grid, kBlock, 0, stream()>>>(
        tree.view(), octree.rule(nullptr), tree.sorted.bodies, boxes, levels, rank, level, sent);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
