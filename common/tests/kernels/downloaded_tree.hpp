/// \file
/// Step 07's tree, downloaded.
#pragma once

#include <map>

#include "tree/device_octree.cuh"

namespace nbody {

/// What both trees say of a cell.
struct FoundCell {
  real4 centre, diagonal, rest;
  double alone, offset, least;  ///< as Reach has them
};

/// By first body and number of bodies.
using FoundCells = std::map<std::pair<int, int>, FoundCell>;

/// The cells that links lead to.
inline FoundCells cellsOf(const int* links,
                          const std::vector<real4>& centres,
                          const std::vector<real4>& moments,
                          const std::vector<int2>& ranges,
                          const std::vector<real2>& reaches) {
  FoundCells cells;
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const int word = stack.back();
    stack.pop_back();
    for (int k = 0; k < 8; ++k) {
      const int slot = slotOf(word, k);
      if (links[slot] == kNoChild) continue;
      const real4* q = &moments[momentsOf(slot)];
      const real2 more = reaches[slot];
      cells[{ranges[slot].x, ranges[slot].y}] = {
          centres[slot], q[0], q[1], centres[slot].w, more.x, more.y};
      if (links[slot] != kLeafChild) stack.push_back(links[slot]);
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

  explicit DownloadedTree(const DeviceOctree& octree) : state(octree.state()) {
    const TreeArrays& tree = octree.arrays();
    order = downloaded(tree.order, tree.count);
    groups = downloaded(tree.groups, state.groups);
    const std::size_t slots = 8 * (1 + std::size_t(state.nodes));
    const std::vector<int4> links = downloaded(tree.links, slots / 4);
    const int* words = reinterpret_cast<const int*>(links.data());
    const std::vector<real4> centres = downloaded(tree.centres, slots);
    const std::vector<real4> moments = downloaded(tree.moments, 2 * slots);
    const std::vector<int2> ranges = downloaded(tree.ranges, slots);
    cells = cellsOf(words, centres, moments, ranges, downloaded(tree.reaches, slots));
  }
};

}  // namespace nbody
