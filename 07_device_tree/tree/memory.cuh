/// \file
/// Memory of a tree: the largest that may be needed, and what there is. Sizes of the launches.
#pragma once

#include "07_device_tree/build_options.hpp"
#include "07_device_tree/tree/cells.cuh"
#include "07_device_tree/tree/keys.cuh"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

/// Returns the largest number of nodes of a tree of \p bodies. Each of m lowest nodes has \p leaf
/// bodies and at most 20 nodes above it. Of the nodes above, at most m - 1 have several nodes as
/// children; each of the others has a body that is in no node below it. So there are at most 21 m
/// nodes, and at most 2 m + N - m leaf.
constexpr int mostNodes(int bodies, int leaf) {
  const long long most = static_cast<long long>(kKeyLevels) * bodies / (leaf + kKeyLevels - 2);
  return static_cast<int>(std::min<long long>({most + 1, bodies, kMaxNodes - 1}));
}

/// Returns the largest number of groups: full groups, and one more at each boundary between cells
/// with kGroupsWithin groups' bodies on both sides. A node has at most seven such boundaries.
constexpr int mostGroups(int bodies, int group) {
  const long long most = bodies / group + 7LL * mostNodes(bodies, kGroupsWithin * group) + 1;
  return static_cast<int>(std::min<long long>(most, bodies));
}

/// Returns the threads of a block: \p largest, or fewer warps if there are few bodies.
inline int blockFor(int bodies, int largest) { return std::min(largest, (bodies / 32 + 1) * 32); }

/// Returns the blocks of a grid-stride launch for \p threads items.
inline unsigned gridStrideBlocks(long long threads, int block) {
  constexpr int kThreadsOfMultiprocessor = 2048;
  const long long blocks = (threads + block - 1) / block;
  return std::min<long long>(blocks, kThreadsOfMultiprocessor / block * multiprocessors());
}

/// Free memory after a tree, for nodes and bodies that its user adds.
struct Spare {
  int nodes = 0, bodies = 0;
};

/// Memory of a tree, kept between time steps.
class TreeMemory {
 public:
  /// Reserves the arrays of a tree of \p count bodies.
  Tree reserve(int count, const BuildOptions& options, const Spare& spare = {}) {
    sort_.reserve(count);
    const int nodes = nodeCapacity(count, options);
    const std::size_t capacity = cellCapacity_ =
        8 * (1 + std::size_t(nodes) + spare.nodes);  // 1: above the tree
    const int groups = mostGroups(count, options.group);
    if (state_.data() == nullptr) fillDevice(state_.reserve(1), 0, sizeof(TreeState));
    SortedBodies& sorted = tree_.sorted;
    sorted.count = count;
    sorted.keys = sort_.sortedKeys.data();
    sorted.order = sort_.order.data();
    sorted.bodies = bodies_.reserve(count + spare.bodies);
    Cells& cells = tree_.cells;
    cells.leaf = options.leaf;
    cells.group = options.group;
    cells.nodeCapacity = nodes;
    cells.starts = starts_.reserve(count + 1);
    cells.leafFirst = leafFirst_.reserve(count + 1);
    cells.groupFirst = groupFirst_.reserve(groups + 1);
    cells.secondChild = secondChild_.reserve(nodes);
    cells.leafCell = leafCell_.reserve(count);
    cells.nodeCell = nodeCell_.reserve(nodes);
    cells.links = links_.reserve(capacity / 4);
    cells.ranges = ranges_.reserve(capacity);
    cells.state = state_.data();
    tree_.moments = {
        boxes_.reserve(capacity), centres_.reserve(capacity), moments_.reserve(2 * capacity)};
    tree_.groups = groups_.reserve(groups);
    return tree_;
  }

  /// Returns the keys of the tree's bodies, unsorted and sorted.
  KeySort& keys() { return sort_; }

  /// Returns for how many cells there is memory: the length of further arrays of cells' properties.
  std::size_t cellCapacity() const { return cellCapacity_; }

  /// Returns the tree reserved last.
  const Tree& tree() const { return tree_; }

  /// Returns the counts of the tree. Waits for the device.
  TreeState state() const { return state_.download(0, 1)[0]; }

  /// Returns whether the last tree had too many nodes; if so, the next reserve() gets more memory.
  /// Waits for the device if there may be too many.
  bool lackedMemory() {
    const Cells& cells = tree_.cells;
    if (cells.nodeCapacity >= mostNodes(tree_.sorted.count, cells.leaf)) return false;
    const int requested = state().nodesRequested;
    if (requested <= cells.nodeCapacity) return false;
    leastNodes_ = requested + requested / 4;
    return true;
  }

 private:
  /// Returns for how many nodes there is memory.
  int nodeCapacity(int count, const BuildOptions& options) const {
    constexpr long long kNodeBytes =
        8 * (sizeof(int) + 3 * sizeof(real4) + sizeof(int2) + sizeof(Bounds) + sizeof(real2));
    const long long given = (static_cast<long long>(options.treeMemory) << 20) / kNodeBytes;
    return static_cast<int>(std::min<long long>(mostNodes(count, options.leaf),
                                                std::max<long long>(given, leastNodes_)));
  }

  Tree tree_ = {};
  std::size_t cellCapacity_ = 0;
  int leastNodes_ = 0;  ///< nodes of the largest tree so far, and some more
  KeySort sort_;
  DeviceBuffer<TreeState> state_{"tree state"};
  DeviceBuffer<real4> bodies_{"bodies in the space-filling order"};
  DeviceBuffer<Starts> starts_{"first cells by body"};
  DeviceBuffer<int> leafFirst_{"first bodies of leaves"}, groupFirst_{"first bodies of groups"};
  DeviceBuffer<int> secondChild_{"second children of nodes"}, leafCell_{"cells of leaves"};
  DeviceBuffer<int2> nodeCell_{"cells of nodes"}, ranges_{"bodies of the cells"};
  DeviceBuffer<int4> links_{"tree links"};
  DeviceBuffer<real4> centres_{"centres of mass of the cells"}, moments_{"moments of the cells"};
  DeviceBuffer<Bounds> boxes_{"boxes of the cells"};
  DeviceBuffer<GroupBox> groups_{"the groups"};
};

}  // namespace nbody::inline NBODY_PRECISION::tree
