/// \file
/// The octree of step 06, built where it is walked: nothing that the host must know between two
/// kernels, so that a whole step can be one CUDA graph.
#pragma once

#include "cuda/multiprocessors.hpp"
#include "tree/groups.cuh"
#include "tree/keys.cuh"
#include "tree/links.cuh"
#include "tree/moments.cuh"

namespace nbody {

/// The most nodes that a tree of any \p bodies can have. Each of m lowest nodes has \p leaf bodies of
/// its own and at most 20 nodes above it; of those above, at most m - 1 have several nodes below, and
/// each other one has a body that is in no node below. So there are at most 21 m, and at most
/// 2 m + N - m leaf.
constexpr int mostNodes(int bodies, int leaf) {
  const long long most = static_cast<long long>(kKeyLevels) * bodies / (leaf + kKeyLevels - 2);
  return static_cast<int>(std::min<long long>({most + 1, bodies, kMaxNodes - 1}));
}

/// The most groups: those of as many bodies as are allowed, and one more at each face between cells,
/// at most seven in a node, with kGroupsWithin groups' bodies on both sides.
constexpr int mostGroups(int bodies, int group) {
  const long long most = bodies / group + 7LL * mostNodes(bodies, kGroupsWithin * group) + 1;
  return static_cast<int>(std::min<long long>(most, bodies));
}

/// The tree in device memory, kept from one step to the next.
class DeviceOctree {
 public:
  /// Puts the building of the tree on the suite's stream. Once a call has reserved memory, the next
  /// for as many bodies allocates nothing and asks the device for nothing: a graph can hold it.
  /// \param bodies  x, y, z, mass
  /// \param felt    of each body the length of its acceleration in the step before, or 0; null: 0 for
  ///                all
  /// \param after   called with the name of each part once it is on the stream
  template <class After>
  void build(const DeviceArray<real4>& bodies,
             const DeviceTreeOptions& options,
             const real* felt,
             After after) {
    build(extentOf(bodies, bodies.data(), options), bodies, options, felt, after);
  }

  /// The same where \p bodies are some of those in \p all, whose root they share.
  template <class After>
  void build(const Extent& all,
             const DeviceArray<real4>& bodies,
             const DeviceTreeOptions& options,
             const real* felt,
             After after) {
    sort(all, bodies, options, felt, after);
    const int count = static_cast<int>(bodies.size());
    const int block = blockOf(count, options);
    const unsigned blocks = blocksFor(count + 1, block);
    const unsigned some = most(count, block);
    const auto done = [&](const char* part) {
      CUDA_CHECK(cudaGetLastError());
      after(part);
    };
    beginsKernel<<<blocks, block, 0, stream()>>>(tree_, bodies.data());
    numberCells(tree_, scratch_);
    cellsKernel<<<blocks, block, 0, stream()>>>(tree_);
    done("cells");
    linksKernel<<<some, block, 0, stream()>>>(tree_);
    done("links");
    groupsKernel<<<most(32LL * groupRoom_, block), block, 0, stream()>>>(tree_);
    done("groups");
    leavesKernel<<<some, block, 0, stream()>>>(tree_);
    setNodes();
    done("moments");
  }

  /// Puts the sums over \p bodies on the suite's stream.
  /// \param origin  of the sums; device memory
  Extent extentOf(const DeviceArray<real4>& bodies,
                  const real4* origin,
                  const DeviceTreeOptions& options) {
    const int count = static_cast<int>(bodies.size());
    const int block = blockOf(count, options);
    const int partCount = std::min<int>(kMostParts, most(count, block));
    Sums* parts = parts_.reserve(kMostParts);
    extentsKernel<<<partCount, block, block * sizeof(Sums), stream()>>>(
        bodies.data(), count, origin, parts);
    CUDA_CHECK(cudaGetLastError());
    return {parts, partCount};
  }

  /// The first part of build(): keys and order alone.
  template <class After>
  void sort(const Extent& all,
            const DeviceArray<real4>& bodies,
            const DeviceTreeOptions& options,
            const real* felt,
            After after) {
    const int count = static_cast<int>(bodies.size());
    reserve(count, options, felt);
    const int block = blockOf(count, options);
    keysKernel<<<most(count, block), block, sizeof(Sums), stream()>>>(bodies.data(),
                                                                      count,
                                                                      all.parts,
                                                                      all.count,
                                                                      sort_.keys.data(),
                                                                      sort_.places.data(),
                                                                      tree_.state);
    CUDA_CHECK(cudaGetLastError());
    after("keys");
    sortKeys(sort_, count);
    after("sort");
  }

  /// Whether the last tree had too many nodes; the next build() will have memory for them. Waits for
  /// the device, where there may be too many.
  bool lackedRoom() {
    if (tree_.nodeRoom >= mostNodes(tree_.count, tree_.leaf)) return false;
    const int wanted = state().nodesWanted;
    if (wanted <= tree_.nodeRoom) return false;
    leastRoom_ = wanted + wanted / 4;
    return true;
  }

  /// Makes room behind the tree for nodes and bodies of others, \p nodes and \p bodies of them. True:
  /// there was less, and the tree has to be built again.
  bool makeRoom(int nodes, int bodies) {
    if (nodes <= guestNodes_ && bodies <= guestBodies_) return false;
    guestNodes_ = std::max(guestNodes_, nodes + nodes / 4);
    guestBodies_ = std::max(guestBodies_, bodies + bodies / 4);
    return true;
  }

  TreeView view() const {
    return {tree_.links, tree_.centres, tree_.moments, tree_.ranges, tree_.groups};
  }
  const TreeArrays& arrays() const { return tree_; }
  /// Waits for the device.
  TreeState state() const { return state_.download(0, 1)[0]; }

 private:
  /// A launch for each level that a node may have: none where all bodies are in one leaf.
  void setNodes() {
    constexpr int kBlock = 128;
    if (tree_.count < tree_.leaf) return;
    const unsigned teams = most(1LL * kTeam * (tree_.count / tree_.leaf), kBlock);
    for (int level = kKeyLevels - 1; level >= 0; --level)
      nodesKernel<<<teams, kBlock, 0, stream()>>>(tree_, level);
  }

  /// Threads: for N = 1 a warp.
  static int blockOf(int count, const DeviceTreeOptions& options) {
    return std::min(options.block, (count / 32 + 1) * 32);
  }

  /// Blocks for \p threads threads that take one piece of work after the other.
  static unsigned most(long long threads, int block) {
    constexpr int kThreadsOfMultiprocessor = 2048;
    const long long blocks = (threads + block - 1) / block;
    return std::min<long long>(blocks, kThreadsOfMultiprocessor / block * multiprocessors());
  }

  void reserve(int count, const DeviceTreeOptions& options, const real* felt) {
    constexpr long long kNodeBytes =
        8 * (sizeof(int) + 3 * sizeof(real4) + sizeof(int2) + sizeof(Bounds) + sizeof(real2));
    const long long given = (static_cast<long long>(options.treeMemory) << 20) / kNodeBytes;
    const int nodes = static_cast<int>(std::min<long long>(mostNodes(count, options.leaf),
                                                           std::max<long long>(given, leastRoom_)));
    const std::size_t slots = 8 * (1 + std::size_t(nodes) + guestNodes_);  // 1: above the tree
    groupRoom_ = mostGroups(count, options.group);
    sort_.reserve(count);
    if (state_.data() == nullptr) fillDevice(state_.reserve(1), 0, sizeof(TreeState));
    tree_ = {count,
             options.leaf,
             options.group,
             options.theta,
             options.opening,
             nodes,
             sort_.sortedKeys.data(),
             sort_.order.data(),
             bodies_.reserve(count + guestBodies_),
             begins_.reserve(count + 1),
             leafFirst_.reserve(count + 1),
             groupFirst_.reserve(groupRoom_ + 1),
             nodeGap_.reserve(nodes),
             leafSlot_.reserve(count),
             nodeSlot_.reserve(nodes),
             links_.reserve(slots / 4),
             centres_.reserve(slots),
             moments_.reserve(2 * slots),
             ranges_.reserve(slots),
             boxes_.reserve(slots),
             groups_.reserve(groupRoom_),
             reaches_.reserve(slots),
             eases_.reserve(groupRoom_),
             felt,
             state_.data()};
  }

  TreeArrays tree_ = {};
  int groupRoom_ = 0;
  int leastRoom_ = 0;  ///< nodes, because a tree has had so many
  int guestNodes_ = 0, guestBodies_ = 0;  ///< as makeRoom() was asked
  KeySort sort_;
  DeviceBuffer<TreeState> state_{"what the tree has come to"};
  DeviceBuffer<Sums> parts_{"extents of parts of the bodies"};
  DeviceBuffer<real4> bodies_{"bodies in the space-filling order"};
  DeviceBuffer<Begins> begins_{"what begins with a body"};
  DeviceBuffer<unsigned char> scratch_{"the prefix sum's scratch"};
  DeviceBuffer<int> leafFirst_{"first bodies of leaves"}, groupFirst_{"first bodies of groups"};
  DeviceBuffer<int> nodeGap_{"second children of nodes"}, leafSlot_{"slots of leaves"};
  DeviceBuffer<int2> nodeSlot_{"slots of nodes"}, ranges_{"the cells' bodies"};
  DeviceBuffer<int4> links_{"the tree's main array"};
  DeviceBuffer<real4> centres_{"the cells' centres of mass"}, moments_{"the cells' moments"};
  DeviceBuffer<Bounds> boxes_{"the cells' boxes"};
  DeviceBuffer<GroupBox> groups_{"the groups"};
  DeviceBuffer<real2> reaches_{"how near cells are opened"};
  DeviceBuffer<real> eases_{"what groups felt"};
};

}  // namespace nbody
