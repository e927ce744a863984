/// \file
/// What follows from the time of one evaluation of all forces.
#pragma once

#include <optional>

#include "measure/device.hpp"
#include "measure/timing.hpp"

namespace nbody {

struct Speed {
  double interactionsPerSecond;
  double gflops;
  std::optional<double> fmaShare;  ///< of the measured ceiling, where there is one
};

/// FLOP per interaction, unless the step counts its own: 20 in FP32, listing 31-1 of GPU Gems 3 with
/// 1 for the square root and 1 for the division; 30 in FP64, the count of the chapter's public sample
/// for double precision.
constexpr int flopPerInteraction(bool single) { return single ? 20 : 30; }

/// \param parts  with the counts of a step that has them
Speed speedOf(double ms,
              int bodies,
              bool single,
              const std::optional<PhaseTimes>& parts,
              const Device& device);

}  // namespace nbody
