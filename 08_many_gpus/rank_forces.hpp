/// \file
/// The forces on a rank's own bodies, with one of the exchanges.
#pragma once

#include "08_many_gpus/options.hpp"
#include "08_many_gpus/shares.hpp"
#include "ranks/rank_simulation.hpp"
#include "ranks/streams.hpp"
#include "ranks/transport.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Everything that an exchange needs.
struct RankWork {
  int rank;
  Shares shares;
  const Options& options;  ///< resolved; must live longer than this
  real softeningSquared;
  Transport& transport;
};

class ExchangeForces : public RankForces {
 public:
  explicit ExchangeForces(const RankWork& work) : work_(work) {}

 protected:
  /// Returns the rank \p steps further round the ring.
  int rankAt(int steps) const {
    const int ranks = work_.shares.ranks;
    return ((work_.rank + steps) % ranks + ranks) % ranks;
  }
  int countOf(int rank) const { return work_.shares.count(rank); }

  RankWork work_;
};

/// Returns the forces with the exchange that the options name. Both kinds of ranks call this:
/// processes (simulation.cpp) and threads of one process (one_process.cpp).
std::unique_ptr<RankForces> makeRankForces(const RankWork& work);

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
