/// \file
/// Segments in which --ordered sums.
#pragma once

#include <algorithm>

#include "cuda/launch.hpp"
#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Largest number of segments. The sums of each are stored, 16 or 32 bytes per body.
constexpr int kMostSegments = 64;

/// Returns the bodies of a segment, the same for any number of ranks. Each segment is on one rank.
inline int segmentOf(int bodies) {
  constexpr int kFewest = 128;  // a nearly empty tile takes as long as a full one
  return std::max(kFewest, static_cast<int>(blocksFor(bodies, kMostSegments)));
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
