#include "ranks/rank_part.hpp"

#include "exchange/segments.hpp"
#include "physics/leapfrog.hpp"
#include "ranks/together.hpp"

namespace nbody {

RankPart::RankPart(const Ranks& ranks, Transport& transport, const RankSetup& setup)
    : ranks_(ranks),
      transport_(transport),
      options_(setup.options),
      softeningSquared_(static_cast<real>(setup.softening * setup.softening)),
      shares_{setup.bodies, ranks.size(), options_.ordered ? segmentOf(setup.bodies) : 1},
      own_(shares_.count(ranks.rank())) {}

void RankPart::compute(Spans* spans) {
  forces_->deal(own_);
  forces_->compute(own_.bodies, own_.accelerations, spans);
}

void RankPart::computeForces() { compute(nullptr); }

PhaseTimes RankPart::computeForcesInPhases() {
  synchronizeDevice();
  ranks_.wait();
  Spans spans;
  const double begin = nowMs();
  compute(&spans);
  synchronizeDevice();
  const double whole = nowMs() - begin;
  PhaseTimes times = forces_->found(ranks_);
  const auto add = [&](const std::string& name, double ms) {
    const std::vector<double> all = ranks_.gathered(ms);
    for (int rank = 0; rank < ranks_.size(); ++rank)
      times.ms.push_back({"rank " + std::to_string(rank) + " " + name, all[rank]});
  };
  times.facts.insert(times.facts.begin(), {"ranks", static_cast<double>(ranks_.size())});
  times.settings = {{"bodies travel by", transport_.name()}};
  if (options_.isTree()) {
    add("tree", spans.ms({Spans::tree}));
    add("let", spans.ms({Spans::let}));
    add("walk", spans.ms({Spans::compute}));
  }
  const double compute = spans.ms({Spans::tree, Spans::let, Spans::compute});
  add("compute", compute);
  add("communication", spans.ms({Spans::communication}));
  add("waiting", whole - compute);
  if (options_.link && link_.empty()) link_ = timeMessages(ranks_, transport_);
  times.ms.insert(times.ms.end(), link_.begin(), link_.end());
  return times;
}

void RankPart::step(double timeStep) {
  if (hasBodies()) kickDrift(own_.bodies, own_.velocities, own_.accelerations, kickDue_, timeStep);
  computeForces();
  kickDue_ = timeStep / 2;
}

void RankPart::advance(double timeStep, bool inGraph) {
  // As in every step (step_simulation.cpp): steps alike are those after another as long.
  const bool alike = kickDue_ != 0 && kickDue_ == timeStep / 2;
  if (inGraph && alike && capturable()) {
    if (!graph_ || graphTime_ != timeStep)
      graph_ = std::make_unique<Graph>([&] { step(timeStep); }, 1);
    graphTime_ = timeStep;
    return graph_->launch();
  }
  step(timeStep);
}

void RankPart::synchronize() { synchronizeDevice(); }

void RankPart::run(const RankTask& task) {
  if (task.step) step(task.timeStep);
  else computeForces();
}

Timing RankPart::time(const RankTask& task, int repeats, bool inGraph) {
  return timeTogether(
      ranks_, transport_, [&] { run(task); }, repeats, forces_->period(), inGraph && capturable());
}

}  // namespace nbody
