#include "ranks/rank_part.hpp"

#include <utility>

#include "bodies/vectors.hpp"
#include "exchange/segments.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/together.hpp"

namespace nbody {

namespace {

std::unique_ptr<RankForces> makeForces(Exchange exchange, const RankWork& work) {
  if (exchange == Exchange::gather) return makeGather(work);
  return exchange == Exchange::ring ? makeRing(work) : makePairs(work);
}

}  // namespace

RankPart::RankPart(const Ranks& ranks, Transport& transport, const RankSetup& setup)
    : ranks_(ranks),
      transport_(transport),
      shares_{setup.bodies, ranks.size(), setup.ordered ? segmentOf(setup.bodies) : 1},
      bodies_(shares_.count(ranks.rank()), "bodies"),
      velocities_(bodies_.size(), "velocities"),
      accelerations_(bodies_.size(), "accelerations"),
      timesLink_(setup.link) {
  Options options;
  options.exchange = setup.exchange;
  options.ordered = setup.ordered;
  options.equalMasses = setup.equalMasses;
  const real softening = static_cast<real>(setup.softening * setup.softening);
  forces_ = makeForces(setup.exchange, {ranks.rank(), shares_, options, softening, transport});
}

void RankPart::upload(const Bodies& bodies) {
  std::vector<real4> own;
  ranks_.scatter(converted<real4>(bodies.positions), own, shares_);
  bodies_.upload(own);
  ranks_.scatter(converted<real4>(bodies.velocities), own, shares_);
  velocities_.upload(own);
  kickDue_ = 0;
}

std::vector<Double4> RankPart::gathered(const DeviceArray<real4>& own) const {
  std::vector<real4> all;
  ranks_.gather(own.download(), all, shares_);
  return converted<Double4>(all);
}

Bodies RankPart::download() {
  const double due = std::exchange(kickDue_, 0);
  if (due != 0 && hasBodies()) kick(velocities_, accelerations_, due);
  return {gathered(bodies_), gathered(velocities_)};
}

std::vector<Double4> RankPart::accelerations() const { return gathered(accelerations_); }

void RankPart::poisonAccelerations() { accelerations_.poison(); }

void RankPart::computeForces() { forces_->compute(bodies_, accelerations_, nullptr); }

PhaseTimes RankPart::computeForcesInPhases() {
  synchronizeDevice();
  ranks_.wait();
  Spans spans;
  const double begin = nowMs();
  forces_->compute(bodies_, accelerations_, &spans);
  synchronizeDevice();
  const double whole = nowMs() - begin;
  const double compute = spans.ms(Spans::compute);
  PhaseTimes times;
  const auto add = [&](const std::string& name, double ms) {
    const std::vector<double> all = ranks_.gathered(ms);
    for (int rank = 0; rank < ranks_.size(); ++rank)
      times.ms.push_back({"rank " + std::to_string(rank) + " " + name, all[rank]});
  };
  times.facts = {{"ranks", static_cast<double>(ranks_.size())}};
  times.settings = {{"bodies travel by", transport_.name()}};
  add("compute", compute);
  add("communication", spans.ms(Spans::communication));
  add("waiting", whole - compute);
  if (timesLink_ && link_.empty()) link_ = timeMessages(ranks_, transport_);
  times.ms.insert(times.ms.end(), link_.begin(), link_.end());
  return times;
}

void RankPart::step(double timeStep) {
  if (hasBodies()) kickDrift(bodies_, velocities_, accelerations_, kickDue_, timeStep);
  computeForces();
  kickDue_ = timeStep / 2;
}

void RankPart::advance(double timeStep, [[maybe_unused]] bool inGraph) {
#ifdef NBODY_GPU
  // As in every step (step_simulation.cpp): steps alike are those after another as long.
  const bool alike = kickDue_ != 0 && kickDue_ == timeStep / 2;
  if (inGraph && alike && transport_.capturable()) {
    if (!graph_ || graphTime_ != timeStep)
      graph_ = std::make_unique<Graph>([&] { step(timeStep); }, 1);
    graphTime_ = timeStep;
    return graph_->launch();
  }
#endif
  step(timeStep);
}

void RankPart::synchronize() { synchronizeDevice(); }

void RankPart::run(const RankTask& task) {
  if (task.step) step(task.timeStep);
  else computeForces();
}

Timing RankPart::time(const RankTask& task, int repeats, bool inGraph) {
  return timeTogether(
      ranks_, transport_, [&] { run(task); }, repeats, inGraph);
}

}  // namespace nbody
