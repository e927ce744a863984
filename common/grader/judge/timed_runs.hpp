/// \file
/// Times that a kernel cannot make shorter than they are, for grading: bodies that it has not seen
/// before, forces that are checked after the clock has stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/simulation.hpp"
#include "driver/validation.hpp"

namespace nbody {

/// One evaluation of all forces.
struct TimedRun {
  std::uint64_t seed;  ///< of its bodies
  double ms;
  bool passed;
  std::string failure;  ///< where not passed
};

/// Tools that timed runs need. A test has its own clock and device.
struct TimedRunTools {
  std::function<Bodies(std::uint64_t seed)> bodies;
  std::function<void()> synchronizeAll;  ///< waits for every stream of the device
  std::function<double()> nowMs;  ///< a steady clock of the host
  std::function<ForceError(Simulation&)> check;  ///< of the forces that the run has left
};

/// A run for each of \p seeds, after \p warmUpMs of runs that do not count, of other bodies.
std::vector<TimedRun> timedRuns(Simulation& simulation, const std::vector<std::uint64_t>& seeds,
                                const TimedRunTools& tools, double warmUpMs);

}  // namespace nbody
