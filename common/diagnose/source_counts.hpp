/// \file
/// Finds how often each source was counted in wrong forces, with least squares.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Returns the x for which the sum of x_k \p columns_k is nearest to \p right (normal equations,
/// Cholesky's method). Empty if the columns depend on each other.
std::vector<double> leastSquares(const std::vector<std::vector<double>>& columns,
                                 const std::vector<double>& right);

/// Returns the integers w_j for which the sums over j of w_j times the pull of body j are nearest
/// to \p accelerations; in correct forces all are 1. An unknown of the least squares is 32
/// neighbouring sources (no block is smaller), a power of two times as many if there are many, or
/// one source if \p eachSource. Returns nothing if they are no integers or the targets too few.
/// \param targets        indices of bodies
/// \param accelerations  of the targets
std::vector<int> sourceCounts(const Bodies& bodies, double softening,
                              const std::vector<int>& targets,
                              const std::vector<Double4>& accelerations, bool eachSource);

/// Returns the accelerations of \p targets from sources that are counted \p counts times, with the
/// sum of the lengths of the terms in w.
std::vector<Double4> accelerationsFrom(const std::vector<int>& counts, const Bodies& bodies,
                                       double softening, const std::vector<int>& targets);

}  // namespace nbody
