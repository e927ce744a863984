/// \file
/// A rank's part of a simulation. Every rank calls each function at the same time, with the same
/// arguments unless said otherwise.
#pragma once

#include <memory>
#include <optional>

#include "bodies/bodies.hpp"
#include "cuda/device_array.hpp"
#include "cuda/graph.hpp"
#include "exchange/rank_forces.hpp"
#include "measure/timing.hpp"
#include "ranks/rank_snapshot.hpp"

namespace nbody {

/// What a simulation is made from.
struct RankSetup {
  int bodies;
  double softening;
  Options options;  ///< resolved
};

/// Work that is timed.
struct RankTask {
  bool step;  ///< a leapfrog step; otherwise the forces alone
  double timeStep;
};

class RankPart {
 public:
  RankPart(const Ranks& ranks, Transport& transport, const RankSetup& setup);

  /// \param bodies  all; rank 0's count
  void upload(const Bodies& bodies);
  /// The same from a tipsy file; BadInput on rank 0. \param path  rank 0's
  void readSnapshot(const std::string& path);
  /// Which body is not finite any more; empty where it was written. \param path  rank 0's, as all of it
  std::string writeSnapshot(const std::string& path, double time, double softening);
  /// All, on rank 0.
  Bodies download();
  std::vector<Double4> accelerations() const;
  void poisonAccelerations();

  void computeForces();
  /// Each rank's times, on rank 0.
  PhaseTimes computeForcesInPhases();
  void step(double timeStep);
  /// A step, or one as the last from a graph.
  void advance(double timeStep, bool inGraph);
  void synchronize();
  /// Of the rank that takes longest.
  Timing time(const RankTask& task, int repeats, bool inGraph);

 private:
  std::vector<Double4> gathered(const DeviceArray<real4>& own) const;
  /// Which bodies of all lie in this rank's arrays, in their order; not of a tree, which deals them anew.
  FilePart filePart() const { return {shares_.begin(ranks_.rank()), shares_.count(ranks_.rank())}; }
  void settle();
  void start();
  void compute(Spans* spans);
  void run(const RankTask& task);
  bool hasBodies() const { return own_.bodies.size() > 0; }
  bool capturable() const { return transport_.capturable() && !options_.isTree(); }

  const Ranks& ranks_;
  Transport& transport_;
  Options options_;
  real softeningSquared_;
  Shares shares_;
  OwnBodies own_;
  double kickDue_ = 0;  ///< by which the velocities are behind
  std::unique_ptr<RankForces> forces_;
  std::vector<Metric> link_;  ///< times of messages, once measured
  std::unique_ptr<Graph> graph_;  ///< of one step of graphTime_
  double graphTime_ = 0;
};

}  // namespace nbody
