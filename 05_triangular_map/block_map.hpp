/// \file
/// The names of step 05's maps; block_maps.cuh has the maps.
#pragma once

namespace nbody {

enum class BlockMap { lambda, box, rectangle, recursive };

}  // namespace nbody
