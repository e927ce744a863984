/// \file
/// Arrays of the kernels that build the tree, by stage: the sorted bodies, their cells, and facts
/// about each cell. All ranges are ranges of the sorted bodies.
#pragma once

#include <cstdint>

#include "06_tree_walk/host/tree_layout.hpp"
#include "07_device_tree/tree/sums.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

using walk::childIndex;
using walk::GroupBox;
using walk::kLeafChild;
using walk::kMaxNodes;
using walk::kNoChild;
using walk::momentsOf;
using walk::RootCube;
using walk::TreeView;

/// Numbers of leaves, nodes and groups that start at a body; after the prefix sum, before it.
struct Starts {
  int leaves, nodes, groups;

  __host__ __device__ Starts operator+(const Starts& other) const {
    return {leaves + other.leaves, nodes + other.nodes, groups + other.groups};
  }
};

/// Counts that only the device knows. Without memory for its nodes a tree has no cells or groups.
struct TreeState {
  int leaves, nodes, groups;
  int nodesRequested;  ///< the largest number of nodes that a tree has had
  int nextGroup, fullAt;  ///< state of the walk; see FusedWalk
  RootCube root;
};

/// The bodies in the order of Hilbert's curve.
struct SortedBodies {
  int count;
  const std::uint64_t* keys;
  const int* order;  ///< number of the body at each place
  real4* bodies;  ///< x, y, z, mass
};

/// The cells, and the groups of bodies that share a walk. The number of a leaf or group is how many
/// start before it. The same holds for a node, which starts at its cell's second child.
struct Cells {
  int leaf;  ///< a cell with fewer bodies is not divided
  int group;  ///< largest number of bodies that share a walk
  int nodeCapacity;  ///< nodes for which there is memory
  Starts* starts;  ///< starts at each body; after the prefix sum, before it, and last the totals
  int* leafFirst;  ///< first body of each leaf, and last the number of bodies
  int* groupFirst;  ///< first body of each group, and last the number of bodies
  int* secondChild;  ///< first body of each node's second child
  int* leafCell;  ///< index of the cell of each leaf, in arrays that have a value per cell
  int2* nodeCell;  ///< that of each node's cell, and its level
  int4* links;  ///< see TreeView, also for the ranges
  int2* ranges;
  TreeState* state;
};

/// Box and moments of each cell.
struct Moments {
  Bounds* boxes;
  real4* centres;  ///< x, y, z, and the opening radius for the rule of the walk
  real4* moments;  ///< see TreeView
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

/// Returns the links of all nodes, eight per node.
__device__ inline int* links(const Cells& cells) { return reinterpret_cast<int*>(cells.links); }

/// Returns the first word of node \p n's links. Words 0 and 1 are those of the node above the tree.
__host__ __device__ constexpr int firstLinkWord(int n) { return 2 * (1 + n); }

}  // namespace nbody::inline NBODY_PRECISION::tree
