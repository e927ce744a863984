// Task: 8.2
// Kind: other work
// Tries: the suite's own gather in place of the ring that is asked for: the forces are right.
// Stopped by: the transport of the ranks, which knows by which exchange bodies are to travel.
#include "exchange/rank_forces.hpp"

namespace nbody {

std::unique_ptr<RankForces> makeRing(const RankWork& work) { return makeGather(work); }

}  // namespace nbody
