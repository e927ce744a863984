/// \file
/// The names of step 05's maps, which block_maps.cuh has, and what its kernel is compiled for.
#pragma once

#include "driver/compiled_values.hpp"

namespace nbody::triangular {

enum class BlockMap { lambda, box, rectangle, recursive };

using BodyCounts = CompiledValues<1, 2, 4, 8>;  // in a thread

}  // namespace nbody::triangular
