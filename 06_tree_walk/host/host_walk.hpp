/// \file
/// The host's tree code: the row that step 06 is compared with.
#pragma once

#include <atomic>
#include <vector>

#include "06_tree_walk/host/octree.hpp"

namespace nbody::walk {

/// Cells that pull at the bodies of a group.
struct InteractionList {
  std::vector<int> nodes;  ///< cells far enough for their moments
  std::vector<int> leaves;  ///< cells whose bodies pull one by one
};

/// The list of \p group, which holds each body of the tree once, within a node or a leaf. A cell is
/// opened when its centre of mass is no farther than side / \p theta + offset from the group's box.
void walkTree(const Octree& tree, const BodyGroup& group, double theta, InteractionList& list);

/// Pulls that a walk of all groups has evaluated.
struct HostPulls {
  std::atomic<long long> nodes = 0;
  std::atomic<long long> bodies = 0;
};

/// Accelerations (x, y, z, 0) of all bodies by a walk of the tree for each group, on all cores.
/// FP32 like the other host baselines, from distances to the group taken in FP64.
///
/// \param positions    those that the tree was built from
/// \param softening    epsilon > 0, in the unit of the positions
/// \param theta        opening angle
/// \param quadrupoles  false: monopoles alone
/// \param threads      0: one for each core
/// \param pulls        in and out: counts on, where there is one
std::vector<Double4> treeForces(const Octree& tree,
                                const std::vector<Double4>& positions,
                                double softening,
                                double theta,
                                bool quadrupoles,
                                int threads = 0,
                                HostPulls* pulls = nullptr);

}  // namespace nbody::walk
