#include "grader/judge/timed_runs.hpp"

namespace nbody {

namespace {

/// Returns the time of an evaluation with the bodies of \p seed. Uses the host's clock, because
/// events on one stream miss work on another.
double timeOnce(Simulation& simulation, std::uint64_t seed, const TimedRunTools& tools) {
  simulation.upload(tools.bodies(seed));
  simulation.poisonAccelerations();
  tools.synchronizeAll();
  const double start = tools.nowMs();
  simulation.computeForces();
  tools.synchronizeAll();
  return tools.nowMs() - start;
}

}  // namespace

std::vector<TimedRun> timedRuns(Simulation& simulation, const std::vector<std::uint64_t>& seeds,
                                const TimedRunTools& tools, double warmUpMs) {
  const std::uint64_t other = seeds.empty() ? 0 : ~seeds.front();
  const double start = tools.nowMs();
  do timeOnce(simulation, other, tools);
  while (tools.nowMs() - start < warmUpMs);

  std::vector<TimedRun> runs;
  for (std::uint64_t seed : seeds) {
    const double ms = timeOnce(simulation, seed, tools);
    const ForceError error = tools.check(simulation);
    runs.push_back({seed, ms, error.passed, error.passed ? "" : error.summary()});
  }
  return runs;
}

}  // namespace nbody
