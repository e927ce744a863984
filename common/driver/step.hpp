/// \file
/// Declarations of the functions that a step's forces.cu defines, with all headers that it needs.
#pragma once

#include <memory>

#include "cuda/cuda.hpp"
#include "measure/timing.hpp"
#include "options.hpp"

namespace nbody {

/// Computes every body's acceleration, and returns before the GPU has finished.
/// \param bodies            positions and masses: x, y, z, mass; length N, at least 1
/// \param softeningSquared  epsilon^2 of GPU Gems 3, section 31.2, above 0; unit of length squared
/// \param options           resolved
/// \param accelerations     out: x, y, z, 0 in units of length per time squared with G = 1;
///                          length N
void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations);

inline constexpr ForceNeeds kNeeds = needsOf<Options>();

// A step that keeps memory from one evaluation to the next (ForceNeeds::workspace) defines this
// Workspace, which its simulation owns, and computeForces() with it.
struct Workspace;
std::shared_ptr<Workspace> makeWorkspace();
void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations, Workspace& workspace);

// A step whose memory may turn out too small, because only the device knows how much it needs
// (ForceNeeds::grows), then leaves the accelerations as they were. This waits for the last forces and
// says whether that happened. If so, compute them again: they will have the memory.
bool lackedRoom(Workspace& workspace);

// A step whose forces depend on the accelerations of the last evaluation (ForceNeeds::remembers) makes the next one
// independent of them here, for other bodies.
void forget(Workspace& workspace);

// A step in several phases (ForceNeeds::phases) defines this, which waits for the end of each phase and times it.
PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies, real softeningSquared,
                                 const Options& options, DeviceArray<real4>& accelerations,
                                 Workspace& workspace);

}  // namespace nbody
