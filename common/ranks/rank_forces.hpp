/// \file
/// The forces on a rank's own bodies, which a step on several ranks defines. Of its Options this layer needs
/// `shareGpu`, `link`, `equalMasses`, `shareUnit()`, `reordersBodies()` and `fewBlocksForMessages()`.
#pragma once

#include <memory>

#include "cuda/device_array.hpp"
#include "measure/timing.hpp"
#include "options.hpp"
#include "ranks/streams.hpp"
#include "ranks/transport.hpp"

namespace nbody {

/// Everything that an exchange needs.
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
  virtual void decompose(OwnBodies& own) { static_cast<void>(own); }

  /// Evaluations from one decomposition to the next: a time is the mean of as many, or of a multiple.
  virtual int period() const { return 1; }

  /// The number of each of this rank's bodies among all, if decompose() reorders them.
  virtual std::vector<int> indices() const { return {}; }

  /// Puts the forces of all bodies on this rank's own on the suite's stream. Every rank calls it.
  /// \param bodies         this rank's: x, y, z, mass; length of its share
  /// \param accelerations  out: x, y, z, 0; as long
  /// \param timeline       out: what took how long; null: not timed
  virtual void compute(const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations,
                       Timeline* timeline) = 0;

  /// Returns what else a report says of the last forces, on rank 0. Every rank calls it.
  virtual PhaseTimes found(const Communicator& ranks) {
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

/// The forces by the exchange that the options name.
std::unique_ptr<RankForces> makeRankForces(const RankWork& work);

}  // namespace nbody
