/// \file
/// A simulation in the host's own memory, for the baselines.
#pragma once

#include <memory>
#include <vector>

#include "program/simulation.hpp"

namespace nbody {

/// As those of baselines.hpp.
using HostForces = std::function<void(const std::vector<float4>& bodies,
                                      float softeningSquared,
                                      std::vector<float4>& accelerations)>;
/// The same, with what its parts took.
using HostForcesInParts = std::function<ForceParts(const std::vector<float4>& bodies,
                                                   float softeningSquared,
                                                   std::vector<float4>& accelerations)>;

/// \param inParts  of forces that have parts
std::unique_ptr<Simulation> makeHostSimulation(int count,
                                               double softening,
                                               HostForces forces,
                                               HostForcesInParts inParts = nullptr);

}  // namespace nbody
