#include "ranks/rank_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "base/parallel.hpp"
#include "bodies/units.hpp"
#include "bodies/vectors.hpp"
#include "cuda/device_buffer.hpp"
#include "cuda/graph.hpp"
#include "cuda/launch.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/communicator.hpp"
#include "ranks/rank_files.hpp"

namespace nbody {

/// Returns times from a common start until the slowest rank has finished, after a warm-up; the same
/// on all ranks. Collective.
/// \param work     queues this rank's work on the suite's stream
/// \param period   a sample is the mean of a multiple of so many runs
/// \param inGraph  launches a CUDA graph, if there is a GPU and a graph can hold \p transport
static Timing timeTogether(const Communicator& ranks, const Transport& transport,
                           std::function<void()> work, int repeats, int period, bool inGraph) {
  /// Returns the slowest rank's time for \p runs runs, in ms.
  const auto once = [&](int runs) {
    synchronizeDevice();
    ranks.barrier();
    const double begin = nowMs();
    for (int i = 0; i < runs; ++i) work();
    synchronizeDevice();
    return ranks.maximum(nowMs() - begin);
  };
  once(1);
  std::unique_ptr<Graph> graph;
  if (inGraph && transport.capturable()) {
    graph = std::make_unique<Graph>(work, 1);
    work = [&] { graph->launch(); };
  }
  // All ranks have the same number, because this is the slowest rank's time.
  const double ms = once(1);
  for (double warm = 0; warm < kWarmUpMs;) warm += once(1);
  constexpr double kSampleMs = 10;
  const int most = static_cast<int>(std::clamp(kSampleMs / ms, 1.0, 100.0));
  const int runs = (most + period - 1) / period * period;
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(once(runs) / runs);
  return summarize(samples);
}

/// Returns times in ms of messages of 16 bytes to 16 MiB from each rank to the next of a ring, all
/// at once, in chains. Empty with one rank.
static std::vector<Metric> timeMessages(const Communicator& ranks, Transport& transport) {
  constexpr int kChain = 10;  // messages per graph: a launch takes as long as a short one
  constexpr int kRepeats = 7;
  if (ranks.size() == 1) return {};
  const int next = (ranks.rank() + 1) % ranks.size();
  const int last = (ranks.rank() + ranks.size() - 1) % ranks.size();
  DeviceBuffer<real4> sent("messages sent"), received("messages received");
  std::vector<Metric> times;
  for (std::size_t bytes = 16; bytes <= (16 << 20); bytes *= 32) {
    const int count = static_cast<int>(std::max<std::size_t>(1, bytes / sizeof(real4)));
    const Outgoing out = {sent.reserve(count), count, next};
    const Incoming in = {received.reserve(count), count, last};
    CUDA_CHECK(cudaMemsetAsync(sent.data(), 0, count * sizeof(real4), stream()));
    const auto chain = [&] {
      for (int i = 0; i < kChain; ++i) {
        transport.start({out}, {in}, stream());
        transport.finish(stream());
      }
    };
    const Timing timing = timeTogether(ranks, transport, chain, kRepeats, 1, true);
    times.push_back(
        {"message of " + std::to_string(count * sizeof(real4)) + " bytes", timing.median / kChain});
  }
  return times;
}

namespace {

constexpr int kSmallestPiece = 1 << 16;  ///< smaller pieces are not worth a thread

/// Copies a part of \p array to the host, or from the host.
std::vector<Double4> someOf(const DeviceArray<real4>& array, int first, int count) {
  std::vector<real4> some(count);
  copyToHost(some.data(), array.data() + first, count * sizeof(real4));
  return converted<Double4>(some);
}
void putSome(DeviceArray<real4>& array, int first, const std::vector<Double4>& bodies) {
  const auto some = converted<real4>(bodies);
  copyToDevice(array.data() + first, some.data(), some.size() * sizeof(real4));
}

class RankSimulation : public Simulation {
 public:
  RankSimulation(double softening, RankMethod method)
      : method_(std::move(method)), softening_(softening), own_(filePart().count) {}

  const Processes& processes() const override { return ranks_; }

  void upload(const Bodies& bodies) override {
    own_ = OwnBodies(filePart().count);
    ranks_.agreeOnFirst([&] { units_ = unitsFor(bodies, softening_, kDouble); });
    ranks_.broadcast(units_);
    const Bodies here = inUnits(bodies, units_);
    own_.velocities.upload(ranks_.scatter(converted<real4>(here.velocities), method_.layout));
    own_.bodies.upload(ranks_.scatter(converted<real4>(here.positions), method_.layout));
    start();
  }

  void readSnapshot(const SnapshotFile& file) override {
    own_ = OwnBodies(filePart().count);
    readTogether(ranks_, file, method_.layout.bodies(), filePart(),
                 [&](int first, const Bodies& some) {
                   putSome(own_.bodies, first, some.positions);
                   putSome(own_.velocities, first, some.velocities);
                 });
    units_ = {};
    changeUnits(file);
    start();
  }

  /// Writes a snapshot, if the ranks have their bodies in the order of a file.
  bool writeSnapshot(const std::string& path, double time, double softening) const override {
    bool together = tipsyOrder(path) && !method_.reordersBodies && !isSpecialFile(path);
    ranks_.broadcast(together);
    if (!together) return false;
    applyPendingKick();
    const SnapshotTarget target = {path, method_.layout.bodies(), time, softening};
    writeTogether(ranks_, target, filePart(), [&](int first, int count) -> Bodies {
      return fromUnits({someOf(own_.bodies, first, count), someOf(own_.velocities, first, count)},
                       units_);
    });
    return true;
  }

  Bodies download() const override {
    applyPendingKick();
    return fromUnits({gathered(own_.bodies), gathered(own_.velocities)}, units_);
  }

  std::vector<Double4> accelerations() const override {
    return scaled(gathered(own_.accelerations), units_.acceleration());
  }

  void poisonAccelerations() override { own_.accelerations.poison(); }

  void computeForces() override { compute(nullptr); }

  std::optional<PhaseTimes> computeForcesInPhases() override;

  void advance(double timeStep, int steps, bool inGraph) override {
    for (int k = 0; k < steps; ++k) advanceInUnits(timeInUnits(timeStep), inGraph);
  }

  bool synchronize() override { return synchronizeDevice(), false; }

  std::vector<Timing> time(double timeStep, int repeats, bool inGraph) override {
    const auto timed = [&](const std::function<void()>& work) {
      return timeTogether(ranks_, *method_.transport, work, repeats, forces_->period(),
                          inGraph && capturable());
    };
    std::vector<Timing> times = {timed([&] { computeForces(); })};
    if (timeStep != 0) times.push_back(timed([&] { step(timeStep); }));
    return times;
  }

 private:
  static constexpr bool kDouble = sizeof(real) == sizeof(double);
  double timeInUnits(double time) const { return std::ldexp(time, -units_.time()); }

  /// Chooses the units of the bodies that all ranks have read from \p file, and changes to them.
  void changeUnits(const SnapshotFile& file) {
    const int count = filePart().count;
    Bodies own = {someOf(own_.bodies, 0, count), someOf(own_.velocities, 0, count)};
    Magnitudes all = magnitudesOf(own);
    const auto most = [&](int value) { return static_cast<int>(ranks_.maximum(value)); };
    all = {most(all.farthest), most(all.fastest), most(all.heaviest), -most(-all.lightest)};
    ranks_.agree([&] {
      try {
        units_ = unitsFor(all, softening_, kDouble);
      } catch (const BadInput& error) {
        file.refuse(error.what());
      }
    });
    if (units_ == Units()) return;
    own = inUnits(std::move(own), units_);
    putSome(own_.bodies, 0, own.positions);
    putSome(own_.velocities, 0, own.velocities);
  }

  /// Creates the forces for the current bodies.
  void start() {
    real least = std::numeric_limits<real>::infinity(), greatest = -least;
    for (const real4& body : own_.bodies.download()) {
      least = std::min(least, body.w);
      greatest = std::max(greatest, body.w);
    }
    const double ofAll = ranks_.maximum(greatest), leastOfAll = -ranks_.maximum(-least);
    const double softening = std::ldexp(softening_, -units_.length);
    const auto softeningSquared = static_cast<real>(softening * softening);
    forces_ = method_.makeForces(
        {ranks_.rank(), softeningSquared, ofAll == leastOfAll, *method_.transport});
    pendingKick_ = 0;
    graph_.reset();
  }

  void compute(Timeline* timeline) {
    forces_->decompose(own_);
    forces_->compute(own_.bodies, own_.accelerations, timeline);
  }

  /// Takes a step of length \p timeStep, which is in units_ like pendingKick_.
  void stepInUnits(double timeStep) {
    if (own_.bodies.size() > 0)
      kickDrift(own_.bodies, own_.velocities, own_.accelerations, pendingKick_, timeStep);
    computeForces();
    pendingKick_ = timeStep / 2;
  }

  void advanceInUnits(double timeStep, bool inGraph) {
    // Steps are alike if the previous one had the same length, as in step_simulation.cpp.
    const bool alike = pendingKick_ != 0 && pendingKick_ == timeStep / 2;
    if (!inGraph || !alike || !capturable()) return stepInUnits(timeStep);
    if (!graph_ || graphTime_ != timeStep)
      graph_ = std::make_unique<Graph>([&] { stepInUnits(timeStep); }, 1);
    graphTime_ = timeStep;
    graph_->launch();
  }

  /// Applies the pending half kick, so that velocities and positions are of the same time.
  void applyPendingKick() const {
    const double due = std::exchange(pendingKick_, 0);
    if (due != 0 && own_.bodies.size() > 0) kick(own_.velocities, own_.accelerations, due);
  }

  std::vector<Double4> gathered(const DeviceArray<real4>& own) const;

  /// Returns this rank's part of all bodies, if its arrays are in the order of all bodies.
  FilePart filePart() const {
    return {method_.layout.begins[ranks_.rank()], method_.layout.counts[ranks_.rank()]};
  }
  bool capturable() const { return method_.transport->capturable() && !method_.reordersBodies; }

  const Communicator& ranks_ = Communicator::world();
  RankMethod method_;
  double softening_;  ///< in the caller's unit
  Units units_;  ///< units of the bodies and of pendingKick_
  mutable OwnBodies own_;
  mutable double pendingKick_ = 0;  ///< time by which velocities are behind positions
  std::unique_ptr<RankForces> forces_;
  std::vector<Metric> messages_;  ///< times of messages, once measured
  std::unique_ptr<Graph> graph_;  ///< graph of one step of length graphTime_
  double graphTime_ = 0;
};

std::optional<PhaseTimes> RankSimulation::computeForcesInPhases() {
  synchronizeDevice();
  ranks_.barrier();
  Timeline timeline;
  const double begin = nowMs();
  compute(&timeline);
  synchronizeDevice();
  const double whole = nowMs() - begin;
  PhaseTimes times = forces_->found(ranks_);
  const auto add = [&](const std::string& name, double ms) {
    const std::vector<double> all = ranks_.allGather(ms);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      times.ms.push_back({"rank " + std::to_string(rank) + " " + name, all[rank]});
  };
  times.metrics.insert(times.metrics.begin(), {"ranks", static_cast<double>(ranks_.size())});
  times.settings = {{"bodies travel by", method_.transport->name()}};
  if (method_.reordersBodies) {
    add("tree", timeline.ms({Timeline::tree}));
    add("let", timeline.ms({Timeline::let}));
    add("walk", timeline.ms({Timeline::compute}));
  }
  const double computing = timeline.ms({Timeline::tree, Timeline::let, Timeline::compute});
  add("compute", computing);
  add("communication", timeline.ms({Timeline::communication}));
  add("waiting", whole - computing);
  if (method_.timesMessages && messages_.empty())
    messages_ = timeMessages(ranks_, *method_.transport);
  times.ms.insert(times.ms.end(), messages_.begin(), messages_.end());
  return times;
}

std::vector<Double4> RankSimulation::gathered(const DeviceArray<real4>& own) const {
  const std::vector<real4> all = ranks_.gather(own.download());
  std::vector<int> indices;  // empty: the bodies are in their order
  if (method_.reordersBodies) indices = ranks_.gather(forces_->indices());
  // A body that no rank returned keeps acceleration 0, so that the check finds it.
  std::vector<Double4> inOrder(all.empty() ? 0 : method_.layout.bodies());
  const int count = static_cast<int>(std::min(all.size(), inOrder.size()));
  parallelForEach(count, kSmallestPiece, [&](int k) {
    inOrder[indices.empty() ? k : indices[k]] = {all[k].x, all[k].y, all[k].z, all[k].w};
  });
  return inOrder;
}

}  // namespace

std::unique_ptr<Simulation> makeRankSimulation(double softening, RankMethod method) {
  return std::make_unique<RankSimulation>(softening, std::move(method));
}

}  // namespace nbody
