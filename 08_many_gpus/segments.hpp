/// \file
/// The segments in which --ordered sums.
#pragma once

#include <algorithm>

#include "cuda/launch.hpp"

namespace nbody {

/// The most segments: the sums of each are stored, 16 or 32 bytes a body.
constexpr int kMostSegments = 64;

/// Bodies of a segment: the same for any number of ranks, and each segment lies on one of them.
inline int segmentOf(int bodies) {
  constexpr int kFewest = 128;  // a tile that is mostly empty takes as long as a full one
  return std::max(kFewest, static_cast<int>(blocksFor(bodies, kMostSegments)));
}

}  // namespace nbody
