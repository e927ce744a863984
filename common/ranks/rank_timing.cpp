#include "ranks/rank_timing.hpp"

#include <algorithm>

#include "cuda/device_buffer.hpp"
#include "cuda/graph.hpp"
#include "cuda/launch.hpp"

namespace nbody {

Timing timeTogether(const Communicator& ranks, const Transport& transport,
                    std::function<void()> work, int repeats, int period, bool inGraph) {
  /// The slowest rank's time for \p runs runs, in ms.
  const auto once = [&](int runs) {
    synchronizeDevice();
    ranks.barrier();
    const double begin = nowMs();
    for (int i = 0; i < runs; ++i) work();
    synchronizeDevice();
    return ranks.maximum(nowMs() - begin);
  };
  once(1);
  std::unique_ptr<Graph> graph;
  if (inGraph && transport.capturable()) {
    graph = std::make_unique<Graph>(work, 1);
    work = [&] { graph->launch(); };
  }
  // All ranks have the same number, because it is the slowest rank's time.
  const double ms = once(1);
  for (double warm = 0; warm < kWarmUpMs;) warm += once(1);
  constexpr double kSampleMs = 10;
  const int wanted = static_cast<int>(std::clamp(kSampleMs / ms, 1.0, 100.0));
  const int runs = (wanted + period - 1) / period * period;
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(once(runs) / runs);
  return summarize(samples);
}

std::vector<Metric> timeMessages(const Communicator& ranks, Transport& transport) {
  constexpr int kChain = 10;  // messages of one graph, whose launch takes as long as a short one
  constexpr int kRepeats = 7;
  if (ranks.size() == 1) return {};
  const int next = (ranks.rank() + 1) % ranks.size();
  const int last = (ranks.rank() + ranks.size() - 1) % ranks.size();
  DeviceBuffer<real4> sent("messages sent"), received("messages received");
  std::vector<Metric> times;
  for (std::size_t bytes = 16; bytes <= (16 << 20); bytes *= 32) {
    const int count = static_cast<int>(std::max<std::size_t>(1, bytes / sizeof(real4)));
    const Outgoing out = {sent.reserve(count), count, next};
    const Incoming in = {received.reserve(count), count, last};
    CUDA_CHECK(cudaMemsetAsync(sent.data(), 0, count * sizeof(real4), stream()));
    const auto chain = [&] {
      for (int i = 0; i < kChain; ++i) {
        transport.start({out}, {in}, stream());
        transport.finish(stream());
      }
    };
    const Timing timing = timeTogether(ranks, transport, chain, kRepeats, 1, true);
    times.push_back(
        {"message of " + std::to_string(count * sizeof(real4)) + " bytes", timing.median / kChain});
  }
  return times;
}

}  // namespace nbody
