/// \file
/// The host's tree code, with which step 06 is compared.
#pragma once

#include <atomic>
#include <vector>

#include "06_tree_walk/host/octree.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Cells that pull on the bodies of a group.
struct InteractionList {
  std::vector<int> nodes;  ///< cells far enough for their moments
  std::vector<int> leaves;  ///< cells whose bodies pull one by one
};

/// Finds the list of \p group, which has each body of the tree once, in a node or a leaf. A cell is
/// opened if its centre of mass is no farther than side / \p theta + offset from the group's box.
void walkTree(const Octree& tree, const BodyGroup& group, double theta, InteractionList& list);

/// Numbers of pulls that the walks of all groups evaluated.
struct HostPulls {
  std::atomic<long long> nodes = 0;
  std::atomic<long long> bodies = 0;
};

/// Returns the accelerations (x, y, z, 0) of all bodies, from a walk of the tree per group, on all
/// cores. FP32, like the other host baselines, but distances to the group are FP64.
///
/// \param positions    the bodies from which the tree was built
/// \param softening    epsilon > 0, in the unit of the positions
/// \param theta        opening angle
/// \param quadrupoles  false: only monopoles
/// \param threads      0: one per core
/// \param pulls        in and out: incremented; may be null
std::vector<Double4> treeForces(const Octree& tree,
                                const std::vector<Double4>& positions,
                                double softening,
                                double theta,
                                bool quadrupoles,
                                int threads = 0,
                                HostPulls* pulls = nullptr);

}  // namespace nbody::inline NBODY_PRECISION::walk
