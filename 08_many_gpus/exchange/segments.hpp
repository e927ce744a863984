/// \file
/// The segments in which --ordered sums.
#pragma once

#include "cuda/launch.hpp"

namespace nbody {

/// The most segments: the sums of each are stored, 16 or 32 bytes a body.
constexpr int kMostSegments = 64;

/// Bodies of a segment: the same for any number of ranks, and each segment lies on one of them.
inline int segmentOf(int bodies) { return static_cast<int>(blocksFor(bodies, kMostSegments)); }

}  // namespace nbody
