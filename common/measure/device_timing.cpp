// GPU builds only: the executor's times are not performance.
#include <memory>

#include "cuda/event.hpp"
#include "cuda/graph.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr double kBatchMs = 1;  // shorter work is timed in batches
constexpr double kShortMs = 0.1;  // and still shorter work in larger ones
constexpr int kWarmUpRuns = 2;  // at least, unless one is a whole warm-up: the first loads code

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
  const auto lasted = [&](double ms) { return nowMs() - start >= ms; };
  for (int i = 0; (i < kWarmUpRuns && !lasted(kWarmUpMs)) || !lasted(warmUpMs); ++i)
    last = timeOnce(work);
  return last;
}

}  // namespace

Timing timeInBatches(const std::function<void(int runs)>& work, int repeats, double warmUpMs) {
  const double once = warmUp([&] { work(1); }, warmUpMs);
  const int runs = once >= kBatchMs ? 1 : once < kShortMs ? 100 : 10;
  const auto batch = [&] { work(runs); };
  if (runs > 1) batch();  // makes its graph; a single run is what the warm-up has done
  std::vector<double> samples = sample(batch, repeats);
  for (double& ms : samples) ms /= runs;
  return summarize(samples);
}

Timing timeOnDevice(const std::function<void()>& work, int repeats, bool inGraph, double warmUpMs) {
  std::unique_ptr<Graph> graph;
  const auto repeated = [&](int runs) {
    if (inGraph && runs > 1) {
      if (!graph) graph = std::make_unique<Graph>(work, runs);
      return graph->launch();
    }
    for (int i = 0; i < runs; ++i) work();
  };
  return timeInBatches(repeated, repeats, warmUpMs);
}

}  // namespace nbody
