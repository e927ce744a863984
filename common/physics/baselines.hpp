/// \file
/// Host baselines: the same forces on the CPU's cores, to compare a GPU with.
#pragma once

#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// Computes the forces with portable C++ on one thread, each pair once with Newton's third law, as the chapter's
/// CPU code does (GPU Gems 3, section 31.6, footnote 3). FP32, like the steps; G = 1.
/// \param bodies            x, y, z, mass
/// \param softeningSquared  epsilon^2
/// \param accelerations     out: x, y, z, 0; as long as bodies
void serialForces(const std::vector<float4>& bodies, float softeningSquared,
                  std::vector<float4>& accelerations);

/// Computes the forces on all cores, each pair twice. The compiler vectorises the loop over sources (structure of
/// arrays). Arguments as for serialForces().
void simdForces(const std::vector<float4>& bodies, float softeningSquared,
                std::vector<float4>& accelerations);

}  // namespace nbody
