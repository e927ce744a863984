/// \file
/// What a force evaluation of several parts, on host and device, says of itself.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device_array.hpp"

namespace nbody {

/// A name and its number.
struct Figure {
  std::string name;
  double value;
};

/// One evaluation of all forces.
struct ForceParts {
  std::vector<Figure> ms;  ///< of each part, in the order of the first of each name
  std::vector<Figure> facts;  ///< what else is to be shown
  double interactions = 0;  ///< that were evaluated
  double flop = 0;  ///< in them
  std::string convention;  ///< whose count of FLOP that is
};

class Simulation;

/// Medians of the parts of \p repeats force evaluations of \p simulation; where not \p timed, only
/// what else one says. Nothing of a simulation that has no parts.
std::optional<ForceParts> measureParts(Simulation& simulation, int repeats, bool timed);

void printParts(const ForceParts& parts);

/// Times the parts of an evaluation, one after the other, each to the device's end of it.
class PartClock {
 public:
  /// \param running   false: nothing is timed, and nothing waits for the device
  /// \param onDevice  false: there is none to wait for
  explicit PartClock(bool running, bool onDevice = true) : running_(running), onDevice_(onDevice) {
    restart();
  }

  /// What was done since the last part belongs to none.
  void restart() {
    if (!running_) return;
    if (onDevice_) synchronizeDevice();
    last_ = Clock::now();
  }

  /// The part \p name ends here; where it has before, the times are added up.
  void end(const char* name) {
    if (!running_) return;
    if (onDevice_) synchronizeDevice();
    const Clock::time_point now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    for (Figure& part : ms_)
      if (part.name == name) return void(part.value += ms);
    ms_.push_back({name, ms});
  }

  const std::vector<Figure>& ms() const { return ms_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool running_;
  bool onDevice_;
  Clock::time_point last_;
  std::vector<Figure> ms_;
};

}  // namespace nbody
