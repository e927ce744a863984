/// \file
/// A simulation in the host's own memory, for the baselines.
#pragma once

#include <memory>
#include <vector>

#include "program/simulation.hpp"

namespace nbody {

/// One of baselines.hpp.
using HostForces = void (*)(const std::vector<float4>& bodies,
                            float softeningSquared,
                            std::vector<float4>& accelerations);

std::unique_ptr<Simulation> makeHostSimulation(int count, double softening, HostForces forces);

}  // namespace nbody
