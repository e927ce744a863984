/// \file
/// The direct sums in FP64 on a GPU. They share no code with the steps, and the sums of reference.hpp and conserved.hpp
/// on the host check them.
#pragma once

#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Returns whether so many interactions are computed on the GPU: there is one, its free memory holds \p bodies in FP64
/// (32 bytes each), and a CPU would take longer. Always false in a build without a GPU.
bool useDeviceSums(const Bodies& bodies, double interactions);

/// Does referenceAccelerations() on the device. \p bodies are in units in which FP64 does not overflow.
std::vector<Double4> deviceAccelerations(const Bodies& bodies, double softening,
                                         const std::vector<int>& sample);

/// Returns the potential energy, the sum of -m_i m_j / sqrt(r^2 + epsilon^2) over all pairs (G = 1).
double devicePotentialEnergy(const Bodies& bodies, double softening);

}  // namespace nbody
