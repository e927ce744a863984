/// \file
/// The forces on a rank's own bodies.
#pragma once

#include <memory>

#include "08_many_gpus/options.hpp"
#include "08_many_gpus/shares.hpp"
#include "cuda/device_array.hpp"
#include "measure/timing.hpp"
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

/// The bodies of a rank.
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

  /// Exchanges \p own with other ranks before their forces are computed, if the exchange needs it.
  /// Accelerations are lost then. Collective.
  virtual void decompose([[maybe_unused]] OwnBodies& own) {}

  /// Returns the evaluations per decomposition. A time is the mean over a multiple of them.
  virtual int period() const { return 1; }

  /// Returns the number of each of this rank's bodies among all, if decompose() reorders them.
  virtual std::vector<int> indices() const { return {}; }

  /// Queues the forces of all bodies on this rank's bodies on the suite's stream. Collective.
  /// \param bodies         this rank's: x, y, z, mass; length of its share
  /// \param accelerations  out: x, y, z, 0; the same length
  /// \param timeline       out: times of the parts; null: not timed
  virtual void compute(const DeviceArray<real4>& bodies,
                       DeviceArray<real4>& accelerations,
                       Timeline* timeline) = 0;

  /// Returns further metrics about the last forces for a report, on rank 0. Collective.
  virtual PhaseTimes found([[maybe_unused]] const Communicator& ranks) { return {}; }

 protected:
  /// Returns the rank \p steps further round the ring.
  int rankAt(int steps) const {
    const int ranks = work_.shares.ranks;
    return ((work_.rank + steps) % ranks + ranks) % ranks;
  }
  int countOf(int rank) const { return work_.shares.count(rank); }

  RankWork work_;
};

/// Returns the forces with the exchange that the options name.
std::unique_ptr<RankForces> makeRankForces(const RankWork& work);

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
