/// \file
/// The forces on a rank's own bodies: what the rungs of step 08 have in common.
#pragma once

#include <memory>

#include "cuda/device_array.hpp"
#include "exchange/streams.hpp"
#include "options.hpp"
#include "ranks/transport.hpp"

namespace nbody {

/// What a rung needs to know.
struct RankWork {
  int rank;
  Shares shares;
  Options options;  ///< resolved
  real softeningSquared;
  Transport& transport;
};

class RankForces {
 public:
  explicit RankForces(const RankWork& work) : work_(work) {}
  virtual ~RankForces() = default;

  /// Puts the forces of all bodies on this rank's own on the suite's stream. Every rank calls it.
  /// \param bodies         this rank's: x, y, z, mass; length of its share
  /// \param accelerations  out: x, y, z, 0; as long
  /// \param spans          out: what took how long; null: not timed
  virtual void compute(const DeviceArray<real4>& bodies,
                       DeviceArray<real4>& accelerations,
                       Spans* spans) = 0;

 protected:
  /// The rank \p steps further round the ring.
  int rankAt(int steps) const {
    const int ranks = work_.shares.ranks;
    return ((work_.rank + steps) % ranks + ranks) % ranks;
  }
  int countOf(int rank) const { return work_.shares.count(rank); }

  RankWork work_;
};

std::unique_ptr<RankForces> makeGather(const RankWork& work);
std::unique_ptr<RankForces> makeRing(const RankWork& work);
std::unique_ptr<RankForces> makePairs(const RankWork& work);

}  // namespace nbody
