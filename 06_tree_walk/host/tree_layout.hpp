/// \file
/// The tree's arrays on the device: figure 2 of the paper.
///
/// Only cells with children, the nodes, are in the main array. A node has two 128-bit words, with a
/// link to each of up to eight children. A link is the first word of the child, so it is even; a
/// leaf has a mark instead. Node 0 stands above the tree: its only child is the root.
///
/// A cell's properties are in auxiliary arrays, at its index: its parent's first word, shifted, plus
/// the number of the child.
#pragma once

#include <cstddef>
#include <vector>

#include "06_tree_walk/host/octree.hpp"
#include "cuda/device_buffer.hpp"
#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kNoChild = 0;  // no link leads to the node above the tree
constexpr int kLeafChild = 1;

/// Largest number of nodes: each has room for eight children, whose indices are of type int.
constexpr int kMaxNodes = 1 << 28;

/// Returns the index of child \p k of the node whose first word is \p word.
__host__ __device__ constexpr int childIndex(int word, int k) { return (word << 2) + k; }

/// Returns the first of a cell's two elements of TreeLayout::moments. From 2^27 nodes on, no int.
__host__ __device__ constexpr std::size_t momentsOf(int cell) {
  return 2 * static_cast<std::size_t>(cell);
}

/// The tight box of a group, and its bodies, a range of the space-filling order.
struct GroupBox {
  real3 lower;
  real3 upper;
  int firstBody;
  int bodyCount;
};

struct TreeLayout {
  std::vector<int4> links;  ///< the main array; 2 words per node
  /// x, y, z of the centre of mass, square of the opening distance; 8 per node
  std::vector<real4> centres;
  /// xx, yy, zz of the quadrupole, mass; xy, xz, yz, second moment: 2 per cell. All except the mass
  /// are per mass, so that FP32 holds them in any units; 0 in a cell without mass.
  std::vector<real4> moments;
  std::vector<int2> bodies;  ///< first body and number of bodies; 8 per node
  std::vector<GroupBox> groups;
};

/// Returns the arrays of \p tree.
/// \param theta  opening angle, above 0
TreeLayout layoutOf(const Octree& tree, double theta);

/// Returns openingReach(), rounded up, so that the device opens every cell that exact numbers do.
real openingDistance(const Cell& cell, double theta);

/// Arrays of the tree as kernels see them. TreeLayout explains the elements.
struct TreeView {
  const int4* links;
  const real4* centres;
  const real4* moments;
  const int2* bodies;
  const GroupBox* groups;
};

/// The tree in device memory, kept from one evaluation to the next.
class DeviceTree {
 public:
  void upload(const TreeLayout& layout) {
    links_.upload(layout.links);
    centres_.upload(layout.centres);
    moments_.upload(layout.moments);
    bodies_.upload(layout.bodies);
    groups_.upload(layout.groups);
  }

  TreeView view() const {
    return {links_.data(), centres_.data(), moments_.data(), bodies_.data(), groups_.data()};
  }

 private:
  DeviceBuffer<int4> links_{"tree links"};
  DeviceBuffer<real4> centres_{"centres of mass of the cells"};
  DeviceBuffer<real4> moments_{"moments of the cells"};
  DeviceBuffer<int2> bodies_{"bodies of the cells"};
  DeviceBuffer<GroupBox> groups_{"the groups"};
};

}  // namespace nbody::inline NBODY_PRECISION::walk
