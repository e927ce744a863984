#include "08_many_gpus/exchanges.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

std::unique_ptr<RankForces> makeRankForces(const RankWork& work) {
  switch (work.options.exchange) {
    case Exchange::gather:
      return makeGather(work);
    case Exchange::ring:
      return makeRing(work);
    case Exchange::pairs:
      return makePairs(work);
  }
  return nullptr;  // there is no other exchange
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
