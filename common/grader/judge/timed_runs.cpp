#include "grader/judge/timed_runs.hpp"

namespace nbody {

namespace {

/// How long the evaluation takes of the bodies of \p seed. The host's clock, for events on one
/// stream would not see work that was put on another.
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
