#include "measure/timing.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "cuda/launch.hpp"

namespace nbody {

double nowMs() {
  using Ms = std::chrono::duration<double, std::milli>;
  return Ms(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Timing summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::size_t middle = samples.size() / 2;
  double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / samples.size();
  return {median, samples.front(), samples.back(), mean, static_cast<int>(samples.size())};
}

std::vector<Timing> measureInTurn(std::size_t count, int repeats,
                                  const std::function<double(std::size_t work)>& msOf) {
  std::vector<std::vector<double>> samples(count);
  for (int i = 0; i < repeats; ++i)
    for (std::size_t k = 0; k < count; ++k) samples[k].push_back(msOf(k));
  std::vector<Timing> timings;
  for (auto& times : samples) timings.push_back(summarize(std::move(times)));
  return timings;
}

std::vector<Timing> timeInTurn(const std::vector<std::function<void()>>& works, int repeats,
                               double warmUpMs) {
  for (const auto& work : works) {
    const double begin = nowMs();
    do work();
    while (nowMs() - begin < warmUpMs);
  }
  return measureInTurn(works.size(), repeats, [&](std::size_t k) {
    const double start = nowMs();
    works[k]();
    return nowMs() - start;
  });
}

Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs) {
  return timeInTurn({work}, repeats, warmUpMs)[0];
}

void PhaseClock::end(const char* name) {
  if (!running_) return;
  marks_.push_back({name, nowMs(), std::nullopt});
  if (onDevice_) marks_.back().event.emplace(true).record(stream());
}

std::vector<Metric> PhaseClock::ms() const {
  std::vector<Metric> parts;
  for (std::size_t k = 1; k < marks_.size(); ++k) {
    const Mark &start = marks_[k - 1], &end = marks_[k];
    if (end.name == nullptr) continue;
    const double ms = onDevice_ ? end.event->since(*start.event) : end.hostMs - start.hostMs;
    const auto same = std::find_if(parts.begin(), parts.end(),
                                   [&](const Metric& part) { return part.name == end.name; });
    if (same == parts.end()) parts.push_back({end.name, ms});
    else same->value += ms;
  }
  return parts;
}

}  // namespace nbody
