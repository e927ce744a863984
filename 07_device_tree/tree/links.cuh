/// \file
/// Each cell finds its parent, and with it the slot of its properties.
#pragma once

#include "tree/cells.cuh"

namespace nbody {

/// Where a cell's properties belong. Of the two cells that it shares with the body before and with the
/// body behind, the smaller is its parent, whose number is known where its second child begins.
__device__ inline int slotFor(const TreeArrays& tree, const Span& cell) {
  const std::uint64_t* keys = tree.keys;
  const int before = cell.first == 0 ? -1 : sharedDigits(keys[cell.first - 1], keys[cell.first]);
  const int behind = cell.end == tree.count ? -1 : sharedDigits(keys[cell.end - 1], keys[cell.end]);
  const int level = max(before, behind);
  if (level < 0) return slotOf(0, 0);  // the root, child of the node above the tree
  const int first = lastInCell(tree, cell.first, -1, level);
  const int gap = lastInCell(tree, first, 1, level + 1) + 1;
  return slotOf(wordOf(tree.begins[gap].nodes), digit(keys[cell.first], level));
}

/// A thread for each leaf, then for each node: its slot, the link to it and its bodies.
static __global__ void linksKernel(TreeArrays tree) {
  const int leaves = tree.state->leaves;
  const int cells = leaves + tree.state->nodes;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cells; c += gridDim.x * blockDim.x) {
    const int node = c - leaves;  // below 0: a leaf
    const Span cell = node < 0 ? Span{tree.leafFirst[c], tree.leafFirst[c + 1], 0}
                               : cellAround(tree, tree.nodeGap[node]);
    const int slot = slotFor(tree, cell);
    linksOf(tree)[slot] = node < 0 ? kLeafChild : wordOf(node);
    tree.ranges[slot] = {cell.first, cell.end - cell.first};
    if (node < 0) tree.leafSlot[c] = slot;
    else tree.nodeSlot[node] = {slot, cell.level};
  }
}

}  // namespace nbody
