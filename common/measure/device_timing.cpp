// GPU builds only: the executor's times are not performance.
#include <memory>
#include <utility>

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

std::vector<Timing> timeBatchesInTurn(const std::vector<Batch>& works, int repeats,
                                      double warmUpMs) {
  std::vector<std::function<void()>> batches;
  std::vector<int> runs;
  for (const Batch& work : works) {
    const double once = warmUp([&] { work(1); }, warmUpMs);
    const int most = once >= kBatchMs ? 1 : once < kShortMs ? 100 : 10;
    batches.push_back([&work, most] { work(most); });
    runs.push_back(most);
    if (most > 1) batches.back()();  // makes its graph; a single run is what the warm-up has done
  }
  return measureInTurn(works.size(), repeats,
                       [&](std::size_t k) { return timeOnce(batches[k]) / runs[k]; });
}

Batch batchesOf(const std::function<void()>& work, bool inGraph) {
  // The first run is no graph, because it may load kernels, which a capture must not.
  return [=, first = true, size = 0, graph = std::shared_ptr<Graph>()](int runs) mutable {
    if (inGraph && !std::exchange(first, false)) {
      if (std::exchange(size, runs) != runs) graph = std::make_shared<Graph>(work, runs);
      return graph->launch();
    }
    for (int i = 0; i < runs; ++i) work();
  };
}

Timing timeOnDevice(const std::function<void()>& work, int repeats, bool inGraph, double warmUpMs) {
  return timeBatchesInTurn({batchesOf(work, inGraph)}, repeats, warmUpMs)[0];
}

}  // namespace nbody
