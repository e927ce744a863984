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

/// Adds the pulls of \p sources on \p bodies to \p sums, with the loop of simdForces().
/// \param bodies   x, y, z, mass; length count
/// \param sources  x, y, z, mass; length sourceCount
/// \param threads  number of threads; 0: one for each core
/// \param sums     in and out: x, y, z of the accelerations; length count
void simdPulls(const float4* bodies, int count, const float4* sources, int sourceCount,
               float softeningSquared, int threads, float4* sums);

}  // namespace nbody
