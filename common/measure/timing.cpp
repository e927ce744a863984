#include "measure/timing.hpp"

#include <algorithm>
#include <chrono>

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
  return {median, samples.front(), samples.back(), static_cast<int>(samples.size())};
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

}  // namespace nbody
