/// \file
/// The host's tree code: the row that step 06 is compared with.
#pragma once

#include <vector>

#include "octree.hpp"

namespace nbody {

/// Accelerations (x, y, z, 0) of all bodies by a walk of the tree for each group, on all cores.
/// FP32 like the other host baselines, from distances to the group taken in FP64. \param positions
/// those that the tree was built from \param softening    epsilon > 0, in the unit of the positions
/// \param theta        opening angle: a cell nearer than side / theta + offset is opened
/// \param quadrupoles  false: monopoles alone
/// \param threads      0: one for each core
std::vector<Double4> treeForces(const Octree& tree,
                                const std::vector<Double4>& positions,
                                double softening,
                                double theta,
                                bool quadrupoles,
                                int threads = 0);

}  // namespace nbody
