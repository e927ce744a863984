/// \file
/// The FP64 direct sum that every step is held against.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Accelerations in double precision of the bodies in \p sample, by the sum of section 31.2 of GPU
/// Gems 3 over all bodies. In w: the sum of the lengths of the terms, the scale of rounding errors.
/// \param softening  epsilon, in the unit of the positions
/// \param sample     indices of bodies; the result has its length
std::vector<Double4> referenceAccelerations(const Bodies& bodies, double softening,
                                            const std::vector<int>& sample);

/// All indices where there are at most \p most bodies, otherwise \p most of them, evenly spread,
/// the first and the last among them.
std::vector<int> sampleOf(int count, int most);

}  // namespace nbody
