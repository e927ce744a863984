#include "ranks/rank_part.hpp"

#include "exchange/segments.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/together.hpp"

namespace nbody {

RankPart::RankPart(const Ranks& ranks, Transport& transport, const RankSetup& setup)
    : ranks_(ranks),
      transport_(transport),
      softeningSquared_(static_cast<real>(setup.softening * setup.softening)),
      shares_{setup.bodies, ranks.size(), setup.ordered ? segmentOf(setup.bodies) : 1},
      bodies_(shares_.count(ranks.rank()), "bodies"),
      velocities_(bodies_.size(), "velocities"),
      accelerations_(bodies_.size(), "accelerations"),
      timesLink_(setup.link) {
  options_.exchange = setup.exchange;
  options_.ordered = setup.ordered;
}

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
