// Part of GPU builds only: an executor's time is no performance.
#include <chrono>
#include <cmath>

#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr double kGraphMs = 1;       // work below this is timed in a graph: gaps between launches are 5 us
constexpr double kShortMs = 0.1;    // work below this, in a graph of more runs
constexpr double kWarmUpMs = 200;   // an idle H200 runs at 345 MHz and needs this long to reach 1980
constexpr int kWarmUpRuns = 2;      // at least: the first loads the module

/// A CUDA event that destroys itself.
class Event {
 public:
  Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  void record() { CUDA_CHECK(cudaEventRecord(event_, stream())); }
  /// Milliseconds from \p start to this event, which it waits for.
  double since(const Event& start) {
    CUDA_CHECK(cudaEventSynchronize(event_));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms;
  }

 private:
  cudaEvent_t event_;
};

/// \p runs runs of some work, to be launched as one.
class Graph {
 public:
  Graph(const std::function<void()>& work, int runs) {
    CUDA_CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
    for (int i = 0; i < runs; ++i) work();
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamEndCapture(stream(), &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable_, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;
  void launch() { CUDA_CHECK(cudaGraphLaunch(executable_, stream())); }

 private:
  cudaGraphExec_t executable_;
};

double timeOnce(const std::function<void()>& work) {
  Event start, end;
  start.record();
  work();
  end.record();
  return end.since(start);
}

std::vector<double> sample(const std::function<void()>& work, int repeats) {
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(timeOnce(work));
  return samples;
}

/// Runs \p work until the clocks are up; returns the last time, in ms.
double warmUp(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  double last = 0;
  for (int i = 0; i < kWarmUpRuns || Clock::now() - start < std::chrono::duration<double, std::milli>(kWarmUpMs); ++i)
    last = timeOnce(work);
  return last;
}

}  // namespace

Timing timeOnDevice(const std::function<void()>& work, int repeats) {
  double once = warmUp(work);
  if (once >= kGraphMs) return summarize(sample(work, repeats));

  const int runs = once < kShortMs ? 100 : 10;
  Graph graph(work, runs);
  graph.launch();
  std::vector<double> samples = sample([&] { graph.launch(); }, repeats);
  for (double& ms : samples) ms /= runs;
  return summarize(samples);
}

}  // namespace nbody
