/// \file
/// What a step's forces.cu defines, and all that it needs to do so.
#pragma once

#include "cuda/cuda.hpp"
#include "driver/choices.hpp"
#include "measure/phase_times.hpp"
#include "driver/parameters.hpp"

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

// Defined by the build (add_step's HOST_WORK) for a step whose forces need the host on their way:
// no CUDA graph can hold them, and GPU events alone cannot time them.
#ifdef NBODY_HOST_WORK
inline constexpr bool kHostWork = true;
#else
inline constexpr bool kHostWork = false;
#endif

/// computeForces() that waits for the end of each of its parts, and times it. Only of a step with
/// kHostWork.
PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                real softeningSquared,
                                const Parameters& parameters,
                                DeviceArray<real4>& accelerations);

}  // namespace nbody
