/// \file
/// The FP64 direct sum with which every step is compared.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Returns the accelerations of the bodies in \p sample, in double precision with G = 1: the sum of section 31.2
/// of GPU Gems 3 over all bodies. w is the sum of the lengths of the terms, the scale of rounding errors.
/// \param softening  epsilon, in the unit of the positions
/// \param sample     indices of bodies; the result has its length
std::vector<Double4> referenceAccelerations(const Bodies& bodies, double softening,
                                            const std::vector<int>& sample);

/// Returns the potential of the first \p count bodies at \p place, in double precision: the sum of
/// -m_j / sqrt(r^2 + epsilon^2).
double potentialAt(const Double4& place, const Bodies& bodies, int count, double softening);

/// Returns the potential at each body of all others.
std::vector<double> referencePotentials(const Bodies& bodies, double softening);

/// Returns all indices if there are at most \p most bodies, otherwise \p most of them, evenly spread, with the
/// first and the last.
std::vector<int> sampleOf(int count, int most);

}  // namespace nbody
