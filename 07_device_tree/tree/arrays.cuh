/// \file
/// Arrays that the kernels read and write, by stage: the sorted bodies, the cells that they form,
/// and facts about each cell. All ranges are ranges of the sorted bodies.
#pragma once

#include <cstdint>

#include "06_tree_walk/host/tree_layout.hpp"
#include "07_device_tree/tree/sums.cuh"

namespace nbody::tree {

using walk::GroupBox;
using walk::kLeafChild;
using walk::kMaxNodes;
using walk::kNoChild;
using walk::momentsOf;
using walk::RootCube;
using walk::slotOf;
using walk::TreeView;

/// How many leaves, nodes and groups start at some bodies. Summed up: how many start before a body.
struct Starts {
  int leaves, nodes, groups;

  __host__ __device__ Starts operator+(const Starts& other) const {
    return {leaves + other.leaves, nodes + other.nodes, groups + other.groups};
  }
};

/// Counts that only the device knows. A tree without room for its nodes has no cells and no groups.
struct TreeState {
  int leaves, nodes, groups;
  int nodesWanted;  ///< the most nodes that any tree so far has had
  int nextGroup, fullAt;  ///< of the walk, as FusedWalk has them
  RootCube root;
};

/// The bodies in the order of Hilbert's curve.
struct SortedBodies {
  int count;
  const std::uint64_t* keys;
  const int* order;  ///< of the body at each place
  real4* bodies;  ///< x, y, z, mass
};

/// The cells, and the groups of bodies that share a walk. A leaf or group has the number of those that
/// start before it, and so has a node, which starts at the second child of its cell.
struct Cells {
  int leaf;  ///< a cell of fewer bodies than this is not divided
  int group;  ///< at most so many bodies share a walk
  int nodeRoom;  ///< nodes that there is memory for
  Starts* starts;  ///< at each body; then before it, and last those of all
  int* leafFirst;  ///< of each leaf its first body, and last the number of bodies
  int* groupFirst;  ///< likewise of each group
  int* secondChild;  ///< of each node the first body of its second child
  int* leafSlot;
  int2* nodeSlot;  ///< slot and level
  int4* links;  ///< as TreeView has them, and so are the ranges
  int2* ranges;
  TreeState* state;
};

/// Box and moments of the cell at each slot.
struct Moments {
  Bounds* boxes;
  real4* centres;  ///< x, y, z, and how near a cell is opened, by the rule of the walk
  real4* moments;  ///< as TreeView has them
};

struct Tree {
  SortedBodies sorted;
  Cells cells;
  Moments moments;
  GroupBox* groups;

  TreeView view() const {
    return {cells.links, moments.centres, moments.moments, cells.ranges, groups};
  }
};

/// Returns the links of all nodes, eight for each.
__device__ inline int* links(const Cells& cells) { return reinterpret_cast<int*>(cells.links); }

/// Returns the first word of node \p n's links; the node above the tree has the first two.
__host__ __device__ constexpr int firstLinkWord(int n) { return 2 * (1 + n); }

}  // namespace nbody::tree
