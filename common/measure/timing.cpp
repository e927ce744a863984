#include "measure/timing.hpp"

#include <algorithm>
#include <chrono>

namespace nbody {

Timing summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::size_t middle = samples.size() / 2;
  double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front(), samples.back(), static_cast<int>(samples.size())};
}

Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  do work();
  while (Clock::now() - begin < std::chrono::duration<double, std::milli>(warmUpMs));
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) {
    auto start = Clock::now();
    work();
    samples.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return summarize(samples);
}

}  // namespace nbody
