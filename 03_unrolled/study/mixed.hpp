/// \file
/// Step 03's loop with positions and sums of different precision: how much error each removes, and what it costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"
#include "measure/timing.hpp"
#include "physics/force_error.hpp"

namespace nbody {

struct MixedRun {
  std::string positions;  ///< "fp32", "pairs", "fixed" or "fp64"
  std::string sums;  ///< "plain" or "compensated"
  ForceError error;  ///< against FP64 sums over positions in FP64, before any rounding
  std::optional<Timing> time;  ///< of one evaluation; on a GPU
};

/// Computes the forces of \p bodies each way. Where the positions are FP64, so is all arithmetic; else it is FP32.
/// \param repeats  of each time
std::vector<MixedRun> studyMixed(const Bodies& bodies, double softening, int repeats);

}  // namespace nbody
