/// \file
/// How long work takes: warm-up, repeats, median with its range.
#pragma once

#include <functional>
#include <vector>

namespace nbody {

/// Times in milliseconds for one piece of work.
struct Timing {
  double median = 0;
  double min = 0;
  double max = 0;
  int repeats = 0;  ///< measurements behind the three
};

/// By the steady clock of the host.
double nowMs();

/// Median (of an even number: the mean of the middle two), least and greatest of \p samples, not
/// empty.
Timing summarize(std::vector<double> samples);

/// Times \p work on the host, after one run that does not count, or \p warmUpMs
/// of them.
Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs = 0);

/// How long the warm-up of timeOnDevice() is, in ms: an idle H200 runs at 345 MHz and needs this
/// long to reach 1980.
inline constexpr double kWarmUpMs = 200;

/// Times what \p work puts on the suite's stream by GPU events, after a warm-up that brings the
/// clocks up; right after another measurement a shorter one will do. Work shorter than 1 ms
/// is captured in a CUDA graph of 10 runs, below 0.1 ms of 100, so that neither launch overhead nor
/// the events' resolution counts; the result is for one run. Unless \p inGraph, the runs are
/// launched one by one, and their launches count.
Timing timeOnDevice(const std::function<void()>& work,
                    int repeats,
                    bool inGraph = true,
                    double warmUpMs = kWarmUpMs);

}  // namespace nbody
