#include "measure/timing.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "cuda/device_array.hpp"

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

Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs) {
  const double begin = nowMs();
  do work();
  while (nowMs() - begin < warmUpMs);
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) {
    const double start = nowMs();
    work();
    samples.push_back(nowMs() - start);
  }
  return summarize(samples);
}

void PhaseClock::restart() {
  if (!running_) return;
  if (onDevice_) synchronizeDevice();
  last_ = nowMs();
}

void PhaseClock::end(const char* name) {
  if (!running_) return;
  if (onDevice_) synchronizeDevice();
  const double now = nowMs();
  const double ms = now - last_;
  last_ = now;
  for (Metric& part : ms_)
    if (part.name == name) return void(part.value += ms);
  ms_.push_back({name, ms});
}

}  // namespace nbody
