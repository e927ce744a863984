/// \file
/// Host baselines: the same forces on the CPU's cores, to compare a GPU with.
#pragma once

#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// Portable C++ on one thread, each pair once by Newton's third law, as the chapter's CPU code
/// (section 31.6, footnote 3). FP32, like the steps.
/// \param bodies            x, y, z, mass
/// \param softeningSquared  epsilon^2
/// \param accelerations     out: x, y, z, 0; as long as bodies
void serialForces(const std::vector<float4>& bodies, float softeningSquared,
                  std::vector<float4>& accelerations);

/// All cores, the loop over sources vectorised by the compiler (structure of arrays), each pair
/// twice.
void simdForces(const std::vector<float4>& bodies, float softeningSquared,
                std::vector<float4>& accelerations);

/// Adds the pulls of \p sources on \p bodies to \p sums, with the loop of simdForces().
/// \param bodies   x, y, z, mass; length count
/// \param sources  x, y, z, mass; length sourceCount
/// \param threads  0: one for each core
/// \param sums     adds: x, y, z; length count
void simdPulls(const float4* bodies, int count, const float4* sources, int sourceCount,
               float softeningSquared, int threads, float4* sums);

}  // namespace nbody
