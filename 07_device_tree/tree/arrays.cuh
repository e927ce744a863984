/// \file
/// What the kernels of a step read and write: the tree, and what it is made of.
#pragma once

#include "device_tree_options.hpp"
#include "host/tree_layout.hpp"
#include "tree/sums.cuh"

namespace nbody {

/// How many begin in some bodies. Summed up: how many begin before a body.
struct Begins {
  int leaves, nodes, groups;

  __host__ __device__ Begins operator+(const Begins& other) const {
    return {leaves + other.leaves, nodes + other.nodes, groups + other.groups};
  }
};

/// What only the device knows. A tree without room for its nodes has no cells and no groups.
struct TreeState {
  int leaves, nodes, groups;
  int nodesWanted;  ///< the most nodes that any tree so far has had
  int nextGroup, fullAt;  ///< of the walk, as FusedWalk has them
  RootCube root;
  double radius;  ///< R, the bodies' root mean square distance from their centre of mass
  double density;  ///< M / R^2 of all bodies; 1 where R is 0
};

/// Bodies, keys and ranges are in the space-filling order. A leaf or group has the number of those
/// that begin before it, and so has a node: it begins with the second child of its cell.
struct TreeArrays {
  int count;  ///< bodies
  int leaf;  ///< a cell of fewer bodies than this is not divided
  int group;  ///< at most so many bodies share a walk
  double theta;
  Opening opening;
  int nodeRoom;
  const std::uint64_t* keys;
  const int* order;  ///< of the body at each place
  real4* bodies;  ///< x, y, z, mass
  Begins* begins;  ///< with each body; then before it, and last those of all
  int* leafFirst;  ///< of each leaf its first body, and last the number of bodies
  int* groupFirst;  ///< likewise of each group
  int* nodeGap;  ///< of each node the first body of its second child
  int* leafSlot;
  int2* nodeSlot;  ///< slot and level
  int4* links;  ///< as TreeView says, and so are the next three
  real4* centres;  ///< x, y, z, and how near a cell is opened: times ease, for Opening::felt
  real4* moments;
  int2* ranges;
  Bounds* boxes;  ///< of the cell at each slot
  GroupBox* groups;
  real2* reaches;  ///< of the cell at each slot what is added to that, and what it is at least
  real* eases;  ///< of each group a^(-1/6), a what it felt; 1 with Opening::distance
  const real* felt;  ///< by each body in the step before; 0, or null: nothing yet
  TreeState* state;
};

/// The links of all nodes, eight for each.
__device__ inline int* linksOf(const TreeArrays& tree) {
  return reinterpret_cast<int*>(tree.links);
}

/// The first word of node \p n's links; the node above the tree has the first two.
__host__ __device__ constexpr int wordOf(int n) { return 2 * (1 + n); }

}  // namespace nbody
