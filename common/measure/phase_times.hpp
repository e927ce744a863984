/// \file
/// Times and facts of a force evaluation in several phases, on host and device.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// A name and its number.
struct Metric {
  std::string name;
  double value;
};

/// One evaluation of all forces.
struct PhaseTimes {
  std::vector<Metric> ms;  ///< of each part, in the order of the first of each name
  std::vector<Metric> facts;  ///< other numbers to show
  double interactions = 0;  ///< that were evaluated
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

  /// What was done since the last part belongs to none.
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
