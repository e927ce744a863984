/// \file
/// How often each source was counted in forces that are wrong, and the least squares that tell.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// The x for which the sum of x_k \p columns_k comes nearest to \p right, by the normal equations and
/// Cholesky's method. Empty where the columns depend on each other.
std::vector<double> leastSquares(const std::vector<std::vector<double>>& columns,
                                 const std::vector<double>& right);

/// Finds the whole numbers w_j for which the sums over j of w_j times the pull of body j come
/// nearest to \p accelerations: all are 1 in correct forces. By least squares, with one unknown for
/// each 32 neighbouring sources (no block is smaller), a power of two more where there are many, or
/// for each source where \p eachSource. Empty where they are no whole numbers or the targets too
/// few.
/// \param targets        bodies
/// \param accelerations  of the targets
std::vector<int> sourceCounts(const Bodies& bodies, double softening,
                              const std::vector<int>& targets,
                              const std::vector<Double4>& accelerations, bool eachSource);

/// Accelerations of \p targets from sources that are counted \p counts times; in w the sum of the
/// lengths of the terms.
std::vector<Double4> accelerationsFrom(const std::vector<int>& counts, const Bodies& bodies,
                                       double softening, const std::vector<int>& targets);

}  // namespace nbody
