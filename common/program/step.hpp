/// \file
/// What a step's forces.cu defines, and all that it needs to do so.
#pragma once

#include "cuda/cuda.hpp"
#include "program/choices.hpp"
#include "program/parameters.hpp"
#include "program/segment_choices.hpp"

namespace nbody {

/// The options of this step's program, with their defaults.
Parameters stepParameters();

/// Computes every body's acceleration; returns before the GPU has done it.
/// \param bodies            positions and masses: x, y, z, mass; length N, at least 1
/// \param softeningSquared  epsilon^2 of GPU Gems 3, section 31.2, above 0; unit of length squared
/// \param parameters        values of stepParameters(), none of them 0
/// \param accelerations     out: x, y, z, 0 in units of length per time squared with G = 1; length
/// N
void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Parameters& parameters,
                   DeviceArray<real4>& accelerations);

}  // namespace nbody
