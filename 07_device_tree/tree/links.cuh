/// \file
/// Finds the parent of each cell. The parent's number gives the cell's index.
#pragma once

#include "07_device_tree/tree/cells.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

/// Returns a cell's index. Two cells can be its parent: the smallest one that also has the previous
/// body, and the smallest one that also has the next body. The smaller of the two is the parent. Its
/// number is stored at the first body of its second child.
__device__ inline int cellIndexOf(const SortedBodies& sorted,
                                  const Cells& cells,
                                  const Span& cell) {
  const std::uint64_t* keys = sorted.keys;
  const int before = cell.first == 0 ? -1 : sharedDigits(keys[cell.first - 1], keys[cell.first]);
  const int behind =
      cell.end == sorted.count ? -1 : sharedDigits(keys[cell.end - 1], keys[cell.end]);
  const int level = max(before, behind);
  if (level < 0) return childIndex(0, 0);  // the root, child of the node above the tree
  const int first = lastInCell(sorted, cell.first, -1, level);
  const int second = lastInCell(sorted, first, 1, level + 1) + 1;
  return childIndex(firstLinkWord(cells.starts[second].nodes), digit(keys[cell.first], level));
}

/// Writes the index of each cell, the link to it and its range of bodies: first leaves, then nodes.
static __global__ void linksKernel(SortedBodies sorted, Cells cells) {
  const int leaves = cells.state->leaves;
  const int count = leaves + cells.state->nodes;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < count; c += gridDim.x * blockDim.x) {
    const int node = c - leaves;  // below 0: a leaf
    const Span cell = node < 0 ? Span{cells.leafFirst[c], cells.leafFirst[c + 1], 0}
                               : cellAround(sorted, cells.secondChild[node]);
    const int index = cellIndexOf(sorted, cells, cell);
    links(cells)[index] = node < 0 ? kLeafChild : firstLinkWord(node);
    cells.ranges[index] = {cell.first, cell.end - cell.first};
    if (node < 0) cells.leafCell[c] = index;
    else cells.nodeCell[node] = {index, cell.level};
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tree
