/// \file
/// What comes nearest to solving more equations than there are unknowns.
#pragma once

#include <vector>

namespace nbody {

/// The x for which the sum of x_k \p columns_k comes nearest to \p right, by the normal equations and
/// Cholesky's method. Empty where the columns depend on each other.
std::vector<double> leastSquares(const std::vector<std::vector<double>>& columns,
                                 const std::vector<double>& right);

}  // namespace nbody
