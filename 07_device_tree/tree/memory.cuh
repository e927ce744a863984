/// \file
/// Memory for a tree: the most that one can need, and what there is.
#pragma once

#include "tree/cells.cuh"
#include "tree/keys.cuh"

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

/// What a tree is stored in, kept from one step to the next.
class TreeMemory {
 public:
  /// Arrays for a tree of \p count bodies, in the order that \p sort is going to say.
  TreeArrays reserve(int count,
                     const KeySort& sort,
                     const DeviceTreeOptions& options,
                     const real* felt) {
    const int nodes = nodeRoom(count, options);
    const std::size_t slots = 8 * (1 + std::size_t(nodes) + guestNodes_);  // 1: above the tree
    const int groups = mostGroups(count, options.group);
    if (state_.data() == nullptr) fillDevice(state_.reserve(1), 0, sizeof(TreeState));
    return {count,
            options.leaf,
            options.group,
            options.theta,
            options.opening,
            nodes,
            sort.sortedKeys.data(),
            sort.order.data(),
            bodies_.reserve(count + guestBodies_),
            begins_.reserve(count + 1),
            leafFirst_.reserve(count + 1),
            groupFirst_.reserve(groups + 1),
            nodeGap_.reserve(nodes),
            leafSlot_.reserve(count),
            nodeSlot_.reserve(nodes),
            links_.reserve(slots / 4),
            centres_.reserve(slots),
            moments_.reserve(2 * slots),
            ranges_.reserve(slots),
            boxes_.reserve(slots),
            groups_.reserve(groups),
            reaches_.reserve(slots),
            eases_.reserve(groups),
            felt,
            state_.data()};
  }

  /// From the next reserve() on, room for a tree of \p nodes nodes.
  void wantNodes(int nodes) { leastNodes_ = nodes + nodes / 4; }

  /// The same for nodes and bodies of others behind the tree. False: there is room for them already.
  bool wantGuests(int nodes, int bodies) {
    if (nodes <= guestNodes_ && bodies <= guestBodies_) return false;
    guestNodes_ = std::max(guestNodes_, nodes + nodes / 4);
    guestBodies_ = std::max(guestBodies_, bodies + bodies / 4);
    return true;
  }

  /// Waits for the device.
  TreeState state() const { return state_.download(0, 1)[0]; }

 private:
  /// Nodes of a tree that there is memory for.
  int nodeRoom(int count, const DeviceTreeOptions& options) const {
    constexpr long long kNodeBytes =
        8 * (sizeof(int) + 3 * sizeof(real4) + sizeof(int2) + sizeof(Bounds) + sizeof(real2));
    const long long given = (static_cast<long long>(options.treeMemory) << 20) / kNodeBytes;
    return static_cast<int>(std::min<long long>(mostNodes(count, options.leaf),
                                                std::max<long long>(given, leastNodes_)));
  }

  int leastNodes_ = 0;  ///< because a tree has had so many
  int guestNodes_ = 0, guestBodies_ = 0;  ///< as wantGuests() was asked
  DeviceBuffer<TreeState> state_{"tree state"};
  DeviceBuffer<real4> bodies_{"bodies in the space-filling order"};
  DeviceBuffer<Begins> begins_{"first cells by body"};
  DeviceBuffer<int> leafFirst_{"first bodies of leaves"}, groupFirst_{"first bodies of groups"};
  DeviceBuffer<int> nodeGap_{"second children of nodes"}, leafSlot_{"slots of leaves"};
  DeviceBuffer<int2> nodeSlot_{"slots of nodes"}, ranges_{"bodies of the cells"};
  DeviceBuffer<int4> links_{"tree links"};
  DeviceBuffer<real4> centres_{"centres of mass of the cells"}, moments_{"moments of the cells"};
  DeviceBuffer<Bounds> boxes_{"boxes of the cells"};
  DeviceBuffer<GroupBox> groups_{"the groups"};
  DeviceBuffer<real2> reaches_{"opening distances"};
  DeviceBuffer<real> eases_{"group accelerations"};
};

}  // namespace nbody
