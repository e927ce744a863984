/// \file
/// Measures how long work takes: warm-up, repeats, median with its range; and the phases of a force
/// evaluation, on host and device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/event.hpp"

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

/// Measures the works number 0 to \p count - 1 in turn, \p repeats times each: a change of the clock rate then meets all of
/// them.
/// \param msOf  does a work once, and returns its time in ms
std::vector<Timing> measureInTurn(std::size_t count, int repeats,
                                  const std::function<double(std::size_t work)>& msOf);

/// Times each of \p works on the host, after one run that does not count, or after \p warmUpMs ms of runs. They take
/// turns.
std::vector<Timing> timeInTurn(const std::vector<std::function<void()>>& works, int repeats,
                               double warmUpMs = 0);

/// Does it with one piece of work.
Timing timeOnHost(const std::function<void()>& work, int repeats, double warmUpMs = 0);

/// Length of the warm-up of timeOnDevice(), in ms: an idle H200 runs at 345 MHz and needs this
/// long to reach 1980.
inline constexpr double kWarmUpMs = 200;

/// Work that is done \p runs times.
using Batch = std::function<void(int runs)>;

/// Times what each of \p works puts on the suite's stream with GPU events, after a warm-up that brings the clocks
/// up. Right after another measurement a shorter warm-up is enough. Work shorter than a millisecond is timed
/// 10 runs at a time, below a tenth of that 100 at a time, because of the events' resolution. They take turns.
/// \return the times of one run of each
std::vector<Timing> timeBatchesInTurn(const std::vector<Batch>& works, int repeats,
                                      double warmUpMs = kWarmUpMs);

/// Returns batches of \p work for timeBatchesInTurn(). A batch is one CUDA graph, as a run's time steps are: launches do
/// not count. Unless \p inGraph, the kernels are launched one by one, and their launches count.
Batch batchesOf(const std::function<void()>& work, bool inGraph);

/// Times batchesOf() one piece of work.
Timing timeOnDevice(const std::function<void()>& work, int repeats, bool inGraph = true,
                    double warmUpMs = kWarmUpMs);

/// Keeps a GPU busy for about a millisecond. What is put on the suite's stream meanwhile then runs without gaps in which
/// it would have waited for the host.
void holdDevice();

/// A name and its number.
struct Metric {
  std::string name;
  double value;
};

/// Times and counts of the parts of one evaluation of all forces.
struct PhaseTimes {
  std::vector<Metric> ms;  ///< time of each part, in the order of its first appearance
  std::vector<Metric> metrics;  ///< other numbers to show
  std::vector<std::pair<std::string, std::string>> settings;  ///< settings that the run chose
  double interactions = 0;  ///< interactions that were evaluated; 0: all pairs
  double flop = 0;  ///< FLOP of these interactions
  std::string convention;  ///< way in which FLOP are counted
};

/// Times the parts of an evaluation one after the other. On a device, events mark their ends on the suite's stream: the
/// host does not wait in between, so the parts add up to the evaluation without a graph.
class PhaseClock {
 public:
  /// \param running   false: times nothing
  /// \param onDevice  false: the host's clock marks the ends
  explicit PhaseClock(bool running, bool onDevice = true) : running_(running), onDevice_(onDevice) {
    restart();
  }

  /// Leaves out the time since the last part.
  void restart() { end(nullptr); }

  /// Ends the part \p name. If a part of this name has ended before, the times are added up.
  void end(const char* name);

  bool running() const { return running_; }

  /// Waits for the last part. Returns the time of each part, in ms.
  std::vector<Metric> ms() const;

 private:
  struct Mark {
    const char* name;  ///< of the part that ends here; null: none does
    double hostMs;
    std::optional<Event> event;
  };

  bool running_;
  bool onDevice_;
  std::vector<Mark> marks_;
};

}  // namespace nbody
