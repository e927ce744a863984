/// \file
/// Finds how often each source was counted in wrong forces, with least squares.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"
#include "diagnose/force_laws.hpp"

namespace nbody {

/// Returns the x for which the sum of x_k \p columns_k is nearest to \p right (normal equations,
/// Cholesky's method), rounded. Empty if the columns depend on each other, or an x_k is not nearly whole or above \p most.
std::vector<int> leastSquares(const std::vector<std::vector<double>>& columns,
                              const std::vector<double>& right, int most);

/// Returns the integers w_j for which the sums over j of w_j times the pull of body j are nearest
/// to \p accelerations; in correct forces all are 1. An unknown of the least squares is 32
/// neighbouring sources (no block is smaller), a power of two times as many if there are many, or
/// one source if \p eachSource. Returns nothing if they are no integers or the targets too few.
/// \param targets        indices of bodies
/// \param accelerations  of the targets
/// \param anyOffset      one vector may be added to all accelerations
std::vector<int> sourceCounts(const Bodies& bodies, const ForceLaw& law,
                              const std::vector<int>& targets,
                              const std::vector<Double4>& accelerations, bool eachSource,
                              bool anyOffset = false);

}  // namespace nbody
