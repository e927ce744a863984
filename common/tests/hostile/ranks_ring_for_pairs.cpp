// Task: 8.4
// Kind: other work
// Tries: the suite's own ring in place of pairs of ranks: each pair of bodies is computed twice.
// Stopped by: the transport of the ranks: by pairs bodies go half way round.
#include "exchange/rank_forces.hpp"

namespace nbody {

std::unique_ptr<RankForces> makePairs(const RankWork& work) { return makeRing(work); }

}  // namespace nbody
