/// \file
/// Measures how long work takes: warm-up, repeats, median with its range; and the phases of a force
/// evaluation, on host and device.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace nbody {

/// Times in milliseconds for one piece of work.
struct Timing {
  double median = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  int repeats = 0;  ///< number of measurements
};

/// Returns the time of the host's steady clock, in ms.
double nowMs();

/// Returns median, least, greatest and mean of \p samples, which must not be empty. With an even number, the
/// median is the mean of the middle two.
Timing summarize(std::vector<double> samples);

/// Times \p work on the host, after one run that does not count, or after \p warmUpMs ms of runs.
Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs = 0);

/// Length of the warm-up of timeOnDevice(), in ms: an idle H200 runs at 345 MHz and needs this
/// long to reach 1980.
inline constexpr double kWarmUpMs = 200;

/// Times what \p work puts on the suite's stream with GPU events, after a warm-up that brings the clocks
/// up. Right after another measurement a shorter warm-up is enough. Work shorter than a millisecond is timed
/// 10 runs at a time, below a tenth of that 100 at a time, because of the events' resolution.
/// \param work  does its piece of work \p runs times
/// \return the times of one run
Timing timeInBatches(const std::function<void(int runs)>& work, int repeats,
                     double warmUpMs = kWarmUpMs);

/// Does timeInBatches(). A batch of several runs is one CUDA graph: launches do not count. Unless
/// \p inGraph, the runs are launched one by one, and their launches count.
Timing timeOnDevice(const std::function<void()>& work, int repeats, bool inGraph = true,
                    double warmUpMs = kWarmUpMs);

/// A name and its number.
struct Metric {
  std::string name;
  double value;
};

/// Times and counts of the parts of one evaluation of all forces.
struct PhaseTimes {
  std::vector<Metric> ms;  ///< time of each part, in the order of its first appearance
  std::vector<Metric> facts;  ///< other numbers to show
  std::vector<std::pair<std::string, std::string>> settings;  ///< settings that the run chose
  double interactions = 0;  ///< interactions that were evaluated; 0: all pairs
  double flop = 0;  ///< FLOP of these interactions
  std::string convention;  ///< way in which FLOP are counted
};

/// Times the parts of an evaluation one after the other. Each ends when the device has finished it.
class PhaseClock {
 public:
  /// \param running   false: times nothing, and does not wait for the device
  /// \param onDevice  false: there is no device to wait for
  explicit PhaseClock(bool running, bool onDevice = true) : running_(running), onDevice_(onDevice) {
    restart();
  }

  /// Leaves out the time since the last part.
  void restart();

  /// Ends the part \p name. If a part of this name has ended before, the times are added up.
  void end(const char* name);

  bool running() const { return running_; }
  const std::vector<Metric>& ms() const { return ms_; }

 private:
  bool running_;
  bool onDevice_;
  double last_ = 0;  ///< nowMs() at the end of the last part
  std::vector<Metric> ms_;
};

}  // namespace nbody
