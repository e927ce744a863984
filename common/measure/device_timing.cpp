// GPU builds only: the executor's times are not performance.
#include <memory>

#include "cuda/event.hpp"
#include "cuda/graph.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr double kBatchMs = 1;  // work below this is timed in batches
constexpr double kShortMs = 0.1;  // work below this, in larger ones
constexpr int kWarmUpRuns = 2;  // at least: the first loads the module

double timeOnce(const std::function<void()>& work) {
  Event start(true), end(true);
  start.record(stream());
  work();
  end.record(stream());
  return end.since(start);
}

std::vector<double> sample(const std::function<void()>& work, int repeats) {
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(timeOnce(work));
  return samples;
}

/// Runs \p work until the clocks are up; returns the last time, in ms.
double warmUp(const std::function<void()>& work, double warmUpMs) {
  const double start = nowMs();
  double last = 0;
  for (int i = 0; i < kWarmUpRuns || nowMs() - start < warmUpMs; ++i) last = timeOnce(work);
  return last;
}

}  // namespace

Timing timeOnDevice(const std::function<void()>& work, int repeats, bool inGraph, double warmUpMs) {
  double once = warmUp(work, warmUpMs);
  if (once >= kBatchMs) return summarize(sample(work, repeats));

  const int runs = once < kShortMs ? 100 : 10;
  std::function<void()> batch = [&] {
    for (int i = 0; i < runs; ++i) work();
  };
  std::unique_ptr<Graph> graph;
  if (inGraph) {
    graph = std::make_unique<Graph>(work, runs);
    batch = [&] { graph->launch(); };
  }
  batch();
  std::vector<double> samples = sample(batch, repeats);
  for (double& ms : samples) ms /= runs;
  return summarize(samples);
}

}  // namespace nbody
