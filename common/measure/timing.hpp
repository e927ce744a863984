/// \file
/// How long work takes: warm-up, repeats, median with its range; and the phases of a force
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
  int repeats = 0;  ///< measurements behind these
};

/// Time of the host's steady clock.
double nowMs();

/// Median (of an even number: the mean of the middle two), least, greatest and mean of \p samples, not
/// empty.
Timing summarize(std::vector<double> samples);

/// Times \p work on the host, after one run that does not count, or \p warmUpMs
/// of them.
Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs = 0);

/// How long the warm-up of timeOnDevice() is, in ms: an idle H200 runs at 345 MHz and needs this
/// long to reach 1980.
inline constexpr double kWarmUpMs = 200;

/// Times what \p work puts on the suite's stream with GPU events, after a warm-up that brings the clocks
/// up. Right after another measurement a shorter warm-up is enough. Work shorter than a millisecond is timed
/// 10 runs at a time, below a tenth of that 100 at a time, because of the events' resolution.
/// \param work  does its piece of work as often as its argument says
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

/// One evaluation of all forces.
struct PhaseTimes {
  std::vector<Metric> ms;  ///< of each part, in the order of the first of each name
  std::vector<Metric> facts;  ///< other numbers to show
  std::vector<std::pair<std::string, std::string>> settings;  ///< what the run has come to use
  double interactions = 0;  ///< that were evaluated; 0: all pairs
  double flop = 0;  ///< in them
  std::string convention;  ///< whose count of FLOP that is
};

/// Times the parts of an evaluation, one after the other, each to the device's end of it.
class PhaseClock {
 public:
  /// \param running   false: nothing is timed, and nothing waits for the device
  /// \param onDevice  false: there is none to wait for
  explicit PhaseClock(bool running, bool onDevice = true) : running_(running), onDevice_(onDevice) {
    restart();
  }

  /// Leaves out the time since the last part.
  void restart();

  /// The part \p name ends here; where it has before, the times are added up.
  void end(const char* name);

  const std::vector<Metric>& ms() const { return ms_; }

 private:
  bool running_;
  bool onDevice_;
  double last_ = 0;  ///< nowMs() at the end of the last part
  std::vector<Metric> ms_;
};

}  // namespace nbody
