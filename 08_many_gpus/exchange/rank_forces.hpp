/// \file
/// The forces on a rank's own bodies: what the rungs of step 08 have in common.
#pragma once

#include <memory>

#include "cuda/device_array.hpp"
#include "exchange/streams.hpp"
#include "measure/timing.hpp"
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

/// The bodies that a rank has.
struct OwnBodies {
  explicit OwnBodies(int count)
      : bodies(count, "bodies"),
        velocities(count, "velocities"),
        accelerations(count, "accelerations") {}

  void resize(int count) {
    bodies.resize(count);
    velocities.resize(count);
    accelerations.resize(count);
  }

  DeviceArray<real4> bodies;  ///< x, y, z, mass
  DeviceArray<real4> velocities, accelerations;  ///< x, y, z, 0
};

class RankForces {
 public:
  explicit RankForces(const RankWork& work) : work_(work) {}
  virtual ~RankForces() = default;

  /// May give \p own to other ranks for theirs, before their forces are computed. Accelerations are
  /// lost then. Every rank calls it.
  virtual void deal(OwnBodies& own) { static_cast<void>(own); }

  /// Evaluations from one deal to the next: times are of so many, or several times as many.
  virtual int period() const { return 1; }

  /// Where deal() does something: of each of this rank's bodies its number among all.
  virtual std::vector<int> indices() const { return {}; }

  /// Puts the forces of all bodies on this rank's own on the suite's stream. Every rank calls it.
  /// \param bodies         this rank's: x, y, z, mass; length of its share
  /// \param accelerations  out: x, y, z, 0; as long
  /// \param spans          out: what took how long; null: not timed
  virtual void compute(const DeviceArray<real4>& bodies,
                       DeviceArray<real4>& accelerations,
                       Spans* spans) = 0;

  /// What else a report says of the last forces, on rank 0. Every rank calls it.
  virtual PhaseTimes found(const Ranks& ranks) {
    static_cast<void>(ranks);
    return {};
  }

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
std::unique_ptr<RankForces> makeTree(const RankWork& work);

}  // namespace nbody
