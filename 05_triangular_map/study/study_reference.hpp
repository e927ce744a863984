/// \file
/// Correct results of the study's tests, computed on the host in FP64.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// Returns n points of four features, each uniform in [0, 1).
std::vector<float4> randomPoints(int n, std::uint64_t seed);

/// Returns the worst |d - d_FP64| / d_FP64 in row \p row of a distance matrix; infinite for NaN.
/// \param distances  to bodies 0 to row - 1; length row
double worstDistanceError(const std::vector<float4>& points,
                          int row,
                          const std::vector<float>& distances);

/// Largest error of a correct distance: 2 units of roundoff from each difference, 4 from the sum of
/// squares, halved by the root, and the root's own.
inline constexpr double kDistanceTolerance = 4 * 0x1p-24;

/// Returns n spheres in the unit box of \p dimensions dimensions: coordinates and radius of each,
/// length n (dimensions + 1). Radii are uniform, up to a limit with which about 2 n pairs collide.
std::vector<float> randomSpheres(int n, int dimensions, std::uint64_t seed);

/// A pair of spheres, row > column, as one number that sorts by row.
using Collision = std::uint64_t;
inline Collision collisionOf(int row, int column) {
  return static_cast<Collision>(row) << 32 | static_cast<std::uint32_t>(column);
}

/// Collisions in FP64, each list in order.
struct Collisions {
  std::vector<Collision> certain;
  std::vector<Collision> doubtful;  ///< too close to touching for FP32
};

Collisions collisionsInDoublePrecision(const std::vector<float>& spheres, int dimensions);

/// Returns what is wrong with \p found, which is in order; empty if nothing is.
std::string compareCollisions(const Collisions& expected, const std::vector<Collision>& found);

}  // namespace nbody::inline NBODY_PRECISION::triangular
