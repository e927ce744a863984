/// \file
/// The input of the forces on a rank's own bodies.
#pragma once

#include "08_many_gpus/shares.hpp"
#include "11_distributed_tree/options.hpp"
#include "ranks/rank_simulation.hpp"
#include "ranks/transport.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

struct RankWork {
  int rank;
  Shares shares;  ///< at the start; later the decomposition decides
  const Options& options;  ///< resolved; must live longer than this
  real softeningSquared;
  Transport& transport;
};

/// Returns the forces of a rank.
std::unique_ptr<RankForces> makeTreeForces(const RankWork& work);

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
