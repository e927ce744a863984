/// \file
/// Names of step 05's maps (see block_maps.cuh), and the bodies per thread of its kernels.
#pragma once

#include "cuda/real.hpp"
#include "driver/compiled_values.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

enum class BlockMap { lambda, box, rectangle, recursive };

using BodyCounts = CompiledValues<1, 2, 4, 8>;  // in a thread

}  // namespace nbody::inline NBODY_PRECISION::triangular
