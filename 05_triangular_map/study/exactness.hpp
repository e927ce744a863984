/// \file
/// How far the floating-point maps are right: searched for on the device in use, whose rounding of
/// the reciprocal square root and of the cubic root decides.
#pragma once

#include <string>
#include <vector>

namespace nbody::triangular {

/// Result of a search for the errors of one map.
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

/// The largest size, at most \p limit, for which a map of the studies is right, diagonal included:
/// tile rows for "lambda-x", "lambda-n" and "lambda-r", by the default, Newton's and the reciprocal
/// root; bodies for "utm"; layers for "tetrahedron-fp32" and "tetrahedron-fp64", the paper's cubic
/// root with w = 0 apart and its epsilon. \p limit for any other, which is exact.
int exactUpTo(const std::string& map, int limit);

}  // namespace nbody::triangular
