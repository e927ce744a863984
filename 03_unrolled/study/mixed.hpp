/// \file
/// Step 03's loop with positions and sums in several precisions: their times and errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"
#include "cuda/real.hpp"
#include "measure/timing.hpp"
#include "physics/force_error.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

struct MixedRun {
  std::string positions;  ///< "fp32", "pairs", "fixed" or "fp64"
  std::string sums;  ///< "plain" or "compensated"
  ForceError error;  ///< compared with FP64 sums over positions that are not rounded
  std::optional<Timing> time;  ///< time of one evaluation; on a GPU only
};

/// Computes the forces of \p bodies in each way. Arithmetic is FP64 if positions are.
/// \param repeats  number of measurements of each time
std::vector<MixedRun> studyMixed(const Bodies& bodies, double softening, int repeats);

}  // namespace nbody::inline NBODY_PRECISION::unrolled
