/// \file
/// A simulation on several ranks, and what a step defines for it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuda/device_array.hpp"
#include "driver/simulation.hpp"
#include "measure/timing.hpp"
#include "ranks/layout.hpp"
#include "ranks/streams.hpp"
#include "ranks/transport.hpp"

namespace nbody {

class Communicator;

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

/// The forces on a rank's own bodies.
class RankForces {
 public:
  virtual ~RankForces() = default;

  /// Exchanges \p own with other ranks before their forces are computed, if the method needs it.
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
  virtual void compute(const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations,
                       Timeline* timeline) = 0;

  /// Returns further metrics about the last forces for a report, on rank 0. Collective.
  virtual PhaseTimes found([[maybe_unused]] const Communicator& ranks) { return {}; }
};

/// Known facts when a rank's forces are made: after it has its bodies.
struct RankStart {
  int rank;
  real softeningSquared;
  bool equalMasses;  ///< of all ranks' bodies
  Transport& transport;
};

/// How a step computes forces on several ranks.
struct RankMethod {
  Layout layout;  ///< which rank has which bodies at the start
  bool reordersBodies = false;  ///< whether a rank's bodies are in another order than the caller's
  bool timesMessages = false;  ///< whether a report also has times of messages
  std::unique_ptr<Transport> transport = nullptr;
  std::function<std::unique_ptr<RankForces>(const RankStart&)> makeForces = nullptr;
};

/// Returns the simulation of all bodies of \p method's layout. Collective.
std::unique_ptr<Simulation> makeRankSimulation(double softening, RankMethod method);

}  // namespace nbody
