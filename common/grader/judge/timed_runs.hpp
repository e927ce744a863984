/// \file
/// Times for grading that a kernel cannot fake: it has not seen the bodies before, and its forces
/// are checked after the clock has stopped.
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
  std::uint64_t seed;  ///< seed of its bodies
  double ms;
  bool passed;
  std::string failure;  ///< empty if it passed
};

/// Tools of timed runs. A test uses its own clock and device.
struct TimedRunTools {
  std::function<Bodies(std::uint64_t seed)> bodies;
  std::function<void()> synchronizeAll;  ///< waits for every stream of the device
  std::function<double()> nowMs;  ///< reads a steady clock of the host
  std::function<ForceError(Simulation&)> check;  ///< checks the forces of the run
};

/// Makes a run for each of \p seeds, after \p warmUpMs of uncounted runs with other bodies.
std::vector<TimedRun> timedRuns(Simulation& simulation, const std::vector<std::uint64_t>& seeds,
                                const TimedRunTools& tools, double warmUpMs);

}  // namespace nbody
