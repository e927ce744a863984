/// \file
/// Searches for the sizes up to which the floating-point maps are correct. The search runs on the
/// device in use, because its rounding of reciprocal and cubic roots decides.
#pragma once

#include <string>
#include <vector>

#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// Result of a search for the errors of one map.
struct Exactness {
  std::string map;
  std::string unit;  ///< the unit of sizes along a side of the triangle or tetrahedron
  int exactUpTo;  ///< the largest size up to which every index is correct
  int searchedUpTo;  ///< the end of the search, or its end without an error
  bool everyIndex;  ///< every index was tried; otherwise the ends and the middle of each row
};

/// Searches lambda with each of its square roots, with and without the diagonal, and lambda exact;
/// UTM and its exact form; the tetrahedron with FP32 and FP64 roots and its exact form.
std::vector<Exactness> findExactness();

/// Returns the largest size, at most \p limit, for which a map of the studies is correct, diagonal
/// included. The size is tile rows for "lambda-x", "lambda-n" and "lambda-r" (default, Newton's and
/// reciprocal root), bodies for "utm", and layers for "tetrahedron-fp32" and "tetrahedron-fp64"
/// (the paper's cubic root and epsilon, w = 0 handled separately). Returns \p limit for other maps,
/// which are exact.
int exactUpTo(const std::string& map, int limit);

}  // namespace nbody::inline NBODY_PRECISION::triangular
