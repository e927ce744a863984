/// \file
/// A simulation in the host's own memory. The baselines use it.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "driver/simulation.hpp"

namespace nbody {

/// Forces on the host, like those of baselines.hpp. Bodies and softening are in the simulation's units (bodies/units.hpp).
using HostForces = std::function<void(const std::vector<float4>& bodies, float softeningSquared,
                                      std::vector<float4>& accelerations)>;
/// Returns \p softening in the units in which \p squared is its square. The simulation's units differ from the caller's
/// by powers of two, so nothing is rounded.
inline double softeningOf(double softening, float squared) {
  const double ratio = std::sqrt(double{squared}) / softening;
  return std::ldexp(softening, static_cast<int>(std::lround(std::log2(ratio))));
}

/// Forces on the host that also return the times of their parts.
using HostForcesInPhases = std::function<PhaseTimes(
    const std::vector<float4>& bodies, float softeningSquared, std::vector<float4>& accelerations)>;

/// Simulation::globalBytesRead() of forces that know it.
using BytesRead = std::function<std::optional<std::uint64_t>()>;

/// Computes forces whose race does not show. Returns false if they have no race.
using ForcesWithoutRace = std::function<bool(
    const std::vector<float4>& bodies, float softeningSquared, std::vector<float4>& accelerations)>;

/// \param inParts      of forces that have parts
/// \param withoutRace  for Simulation::withoutRace()
std::unique_ptr<Simulation> makeHostSimulation(int count, double softening, HostForces forces,
                                               HostForcesInPhases inParts = nullptr,
                                               BytesRead bytesRead = nullptr,
                                               ForcesWithoutRace withoutRace = nullptr);

}  // namespace nbody
