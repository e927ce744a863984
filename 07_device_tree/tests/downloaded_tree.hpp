/// \file
/// Downloads step 07's tree.
#pragma once

#include <map>

#include "07_device_tree/tree/memory.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

/// The data of a cell that both trees have.
struct FoundCell {
  int cell;
  real4 centre, diagonal, rest;
};

/// Cells by first body and number of bodies.
using FoundCells = std::map<std::pair<int, int>, FoundCell>;

/// Returns the cells that can be reached by links.
inline FoundCells cellsOf(const int* links, const std::vector<real4>& centres,
                          const std::vector<real4>& moments, const std::vector<int2>& ranges) {
  FoundCells cells;
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const int word = stack.back();
    stack.pop_back();
    for (int k = 0; k < 8; ++k) {
      const int cell = childIndex(word, k);
      if (links[cell] == kNoChild) continue;
      const real4* q = &moments[momentsOf(cell)];
      cells[{ranges[cell].x, ranges[cell].y}] = {cell, centres[cell], q[0], q[1]};
      if (links[cell] != kLeafChild) stack.push_back(links[cell]);
    }
  }
  return cells;
}

template <class T>
std::vector<T> downloaded(const T* device, std::size_t count) {
  std::vector<T> host(count);
  copyToHost(host.data(), device, count * sizeof(T));
  return host;
}

struct DownloadedTree {
  TreeState state;
  std::vector<int> order;
  FoundCells cells;
  std::vector<GroupBox> groups;

  explicit DownloadedTree(const TreeMemory& memory) : state(memory.state()) {
    const Tree& tree = memory.tree();
    order = downloaded(tree.sorted.order, tree.sorted.count);
    groups = downloaded(tree.groups, state.groups);
    const std::size_t count = 8 * (1 + std::size_t(state.nodes));
    const std::vector<int4> links = downloaded(tree.cells.links, count / 4);
    cells = cellsOf(reinterpret_cast<const int*>(links.data()),
                    downloaded(tree.moments.centres, count),
                    downloaded(tree.moments.moments, 2 * count),
                    downloaded(tree.cells.ranges, count));
  }
};

}  // namespace nbody::inline NBODY_PRECISION::tree
