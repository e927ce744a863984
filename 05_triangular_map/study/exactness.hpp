/// \file
/// How far the floating-point maps are right: searched for on the device in use, whose rounding of
/// the reciprocal square root and of the cubic root decides.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// What a search found out about one map.
struct Exactness {
  std::string map;
  std::string unit;  ///< of the sizes: what the triangle or tetrahedron has so many of a side
  int exactUpTo;  ///< the largest size for which, and below which, every index is right
  int searchedUpTo;  ///< where the search ended, or would have without an error
  bool everyIndex;  ///< tried; otherwise the ends and the middle of each row
};

/// lambda by each of its square roots, with and without the diagonal, and the exact lambda; UTM and
/// the exact one; the tetrahedron by FP32 and FP64 roots and the exact one.
std::vector<Exactness> findExactness();

/// The largest number of tile rows, at most \p limit, for which lambda by the default ("lambda-x"),
/// Newton's ("lambda-n") or the reciprocal ("lambda-r") root is right, diagonal included.
int exactRows(const std::string& map, int limit);

/// The largest number of layers, at most \p limit, for which the paper's cubic root in FP32
/// ("tetrahedron-fp32") or FP64, w = 0 apart and with its epsilon, is right.
int exactLayers(const std::string& map, int limit);

/// The largest n, at most \p limit, for which UTM in FP32 is right.
int exactBodies(int limit);

}  // namespace nbody
