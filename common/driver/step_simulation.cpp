// Compiled into each step, in its precision.
#include <cmath>
#include <map>
#include <utility>

#include "bodies/units.hpp"
#include "bodies/vectors.hpp"
#include "cuda/device_array.hpp"
#include "cuda/gather.hpp"
#include "cuda/graph.hpp"
#include "driver/simulation.hpp"
#include "driver/step_forces.hpp"
#include "physics/leapfrog.hpp"

namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE {

namespace {

/// Enough that launching the graph does not count, even for the shortest steps.
constexpr int kStepsPerGraph = 50;

/// Returns a copy of \p array on the host, in double precision.
std::vector<Double4> inDouble(const DeviceArray<real4>& array) {
  std::vector<real4> host = zeros<real4>(array.size());
  copyToHost(host.data(), array.data(), host.size() * sizeof(real4));
  return converted<Double4>(host);
}

class StepSimulation : public DeviceSimulation {
 public:
  StepSimulation(int count, double softening, const StepOptions& options)
      : options_(dynamic_cast<const Options&>(options)),
        softening_(softening),
        softeningSquared_(static_cast<real>(softening * softening)),
        bodies_(count, "bodies"),
        velocities_(count, "velocities"),
        accelerations_(count, "accelerations") {}

  void upload(const Bodies& bodies) override {
    units_ = unitsFor(bodies, softening_, sizeof(real) == sizeof(double));
    setSoftening(std::ldexp(softening_, -units_.length));
    const bool same = units_ == Units();
    const Bodies changed = same ? Bodies() : inUnits(bodies, units_);
    const Bodies& here = same ? bodies : changed;
    bodies_.upload(converted<real4>(here.positions));
    velocities_.upload(converted<real4>(here.velocities));
    kickDue_ = 0;
    forces_ = StepForces();  // because it keeps data of other bodies
    forgetGraphs();
  }

  Bodies download() const override {
    settle();
    if (kickDue_ != 0) kick(velocities_, accelerations_, std::exchange(kickDue_, 0));
    return fromUnits({inDouble(bodies_), inDouble(velocities_)}, units_);
  }

  std::vector<Double4> accelerations() const override {
    settle();
    return scaled(inDouble(accelerations_), units_.acceleration());
  }

  std::function<std::vector<Double4>()> bring(Quantity quantity,
                                              const std::vector<int>& chosen) const override {
    settle();
    const DeviceArray<real4>& all = quantity == Quantity::position   ? bodies_
                                    : quantity == Quantity::velocity ? velocities_
                                                                     : accelerations_;
    const int length = quantity == Quantity::position   ? units_.length
                       : quantity == Quantity::velocity ? units_.velocity()
                                                        : units_.acceleration();
    return [found = gather_(all, chosen), length, mass = units_.mass] {
      return scaled(converted<Double4>(found), length, mass);
    };
  }

  void poisonAccelerations() override { accelerations_.poison(); }

  void computeForces() override {
    forces_.compute(bodies_, softeningSquared_, options_, accelerations_);
    unsettled_ = kNeeds.grows;
  }

  /// Runs the second and later evaluations as one graph, which starts sooner than kernels do.
  void computeForcesAtOnce() override {
    if (kNeeds.hostWork || !std::exchange(evaluated_, true)) return computeForces();
    settle();  // first: memory that grows takes the graphs with it
    std::unique_ptr<Graph>& graph = stepGraphs_[0];
    if (!graph) graph = std::make_unique<Graph>([&] { computeForces(); }, 1);
    graph->launch();
    unsettled_ = kNeeds.grows;
  }

  void forget() override {
    forces_.forget();
    evaluated_ = false;  // a graph has no rough evaluation
  }

  void setSoftening(double softening) override {
    softeningSquared_ = static_cast<real>(softening * softening);
    forgetGraphs();
  }

  Memory memory() override { return {bodies_.data(), accelerations_.data()}; }

  std::optional<PhaseTimes> computeForcesInPhases() override {
#ifdef NBODY_GPU
    if (!kNeeds.hostWork) holdDevice();  // otherwise the parts would be longer than the whole
#endif
    return forces_.computeInPhases(bodies_, softeningSquared_, options_, accelerations_);
  }

  bool synchronize() override {
    synchronizeDevice();
    return settle();
  }

  std::optional<std::uint64_t> globalBytesRead() const override { return deviceBytesRead(); }

  void advance(double ofCaller, int steps, bool inGraph) override {
    const double timeStep = timeInUnits(ofCaller);
    for (int left = steps; left > 0;) {
      // The first step after another time step differs, and it loads the kernels, which a capture
      // must not.
      const bool alike = kickDue_ != 0 && kickDue_ == timeStep / 2;
      const bool captured = alike && inGraph && !kNeeds.hostWork;
      const int now = captured ? std::min(left, stepsAtOnce()) : 1;
      if (captured) launchSteps(timeStep, now);
      else stepInUnits(timeStep);
      left -= now;
    }
  }

  /// One if memory may have to grow between two steps.
  int stepsAtOnce() const override { return kNeeds.hostWork || kNeeds.grows ? 1 : kStepsPerGraph; }

#ifdef NBODY_GPU
  std::optional<std::vector<KernelLaunch>> launches() override {
    if (kNeeds.hostWork) return std::nullopt;
    settle();
    return launchesOf([&] { computeForces(); });
  }

  std::vector<Timing> time(double timeStep, int repeats, bool inGraph) override {
    if (kNeeds.hostWork) return timesOnHost(*this, timeStep, repeats, kWarmUpMs);
    for (;;) {
      settle();
      timedForces_ = nullptr;
      std::vector<Batch> works = {[&](int evaluations) {
        // Memory that grew between two time steps has taken the graph with it.
        if (!timedForces_) timedForces_ = batchesOf([&] { computeForces(); }, inGraph);
        timedForces_(evaluations);
      }};
      if (timeStep != 0) works.push_back([&](int steps) { advance(timeStep, steps, inGraph); });
      const std::vector<Timing> times = timeBatchesInTurn(works, repeats);
      if (!forces_.lackedMemory()) return times;
      computeForces();
    }
  }
#else
  std::vector<Timing> time(double timeStep, int repeats, bool) override {
    return timesOnHost(*this, timeStep, repeats);
  }
#endif

 private:
  double timeInUnits(double time) const { return std::ldexp(time, -units_.time()); }

  /// Takes a step of length \p timeStep, which is in units_ like kickDue_.
  void stepInUnits(double timeStep) {
    if (!capturing()) settle();
    kickDrift(bodies_, velocities_, accelerations_, kickDue_, timeStep);
    computeForces();
    kickDue_ = timeStep / 2;
  }

  /// Computes forces whose memory was too small again, with more. Returns whether it did.
  bool settle() const {
    bool again = false;
    while (std::exchange(unsettled_, false) && forces_.lackedMemory()) {
      forgetGraphs();
      forces_.compute(bodies_, softeningSquared_, options_, accelerations_);
      again = unsettled_ = true;
    }
    return again;
  }

  void launchSteps(double timeStep, int steps) {
    settle();  // first: memory that grows takes the graphs with it
    if (std::exchange(stepGraphTime_, timeStep) != timeStep) forgetGraphs();
    std::unique_ptr<Graph>& graph = stepGraphs_[steps];
    if (!graph) graph = std::make_unique<Graph>([&] { stepInUnits(timeStep); }, steps);
    graph->launch();
    unsettled_ = kNeeds.grows;
  }

  /// Forgets captured work, whose memory the forces are about to give up.
  void forgetGraphs() const {
    stepGraphs_.clear();
    timedForces_ = nullptr;
  }

  Options options_;
  mutable StepForces forces_;
  bool evaluated_ = false;  ///< computeForcesAtOnce() was called
  mutable bool unsettled_ = false;  ///< unknown whether the last forces had enough memory
  double softening_;  ///< in the caller's unit
  Units units_;  ///< units of all that follows
  real softeningSquared_;
  DeviceArray<real4> bodies_;
  mutable DeviceArray<real4> velocities_;  ///< behind the positions by kickDue_, but when asked for
  mutable double kickDue_ = 0;
  mutable DeviceArray<real4> accelerations_;
  mutable Gather<real4> gather_;
  mutable std::map<int, std::unique_ptr<Graph>>
      stepGraphs_;  ///< by number of steps; 0: only forces
  mutable Batch timedForces_;  ///< the evaluations that time() measures, with their graph
  double stepGraphTime_ = 0;  ///< the time step of all of them
};

[[maybe_unused]] const bool kLinked =
    link({NBODY_STEP_NAME, sizeof(real) == sizeof(double), kNeeds.workspace, false,
          std::make_unique<Options>,
          std::make_unique<StepSimulation, int, double, const StepOptions&>, kNeeds.remembers});

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE
