/// \file
/// The three exchanges, each in a file of its name.
#pragma once

#include "08_many_gpus/rank_forces.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

std::unique_ptr<RankForces> makeGather(const RankWork& work);
std::unique_ptr<RankForces> makeRing(const RankWork& work);
std::unique_ptr<RankForces> makePairs(const RankWork& work);

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
