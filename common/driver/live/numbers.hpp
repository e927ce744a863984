/// \file
/// The numbers of a live run: how fast, how exact, and what it keeps. A check's time counts in no
/// speed.
#pragma once

#include <optional>

#include "driver/live/settings.hpp"
#include "driver/report.hpp"
#include "driver/simulation.hpp"
#include "physics/conserved.hpp"

namespace nbody {

class LiveNumbers {
 public:
  LiveNumbers(const Program& program, const Device& device);

  /// From now on drift is from \p bodies.
  void start(const Bodies& bodies, double softening);
  void start(const Conserved& conserved) { start_ = conserved; }
  const Conserved& conservedAtStart() const { return start_; }

  /// After \p steps that took \p ms.
  void count(int steps, double ms);

  /// The speed is of something else now, and no check is of it.
  void forget();

  bool checkIsDue() const;

  /// Of the bodies and accelerations that \p simulation has now.
  void check(Simulation& simulation, double softening, double time);

  /// Mean time of a step so far, in ms; 0 where none was taken.
  double stepMs() const { return last_.steps > 0 ? last_.ms / last_.steps : 0; }

  /// Ends the interval over which the speed is a mean. Members of the message "numbers".
  Json numbers(int bodies);

 private:
  struct Interval {
    int steps = 0;
    double ms = 0;
  };

  const Program& program_;
  const Device& device_;
  Conserved start_ = {};
  Interval running_, last_;
  std::optional<Speed> speed_;
  std::optional<double> stepsPerSecond_;
  std::optional<PhaseTimes> parts_;  ///< counts of a step that has them
  std::optional<ForceError> error_;
  double errorTime_ = 0;
  std::optional<Drift> drift_;
  double nextCheckMs_ = 0;  ///< by nowMs()
};

}  // namespace nbody
