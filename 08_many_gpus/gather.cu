/// \file
/// gather: every rank has all bodies before it starts.
///
/// Predicted limiter: with many bodies, issue, as on one GPU. With few bodies, waiting for the
/// bodies of other ranks, because no rank computes meanwhile.
#include "08_many_gpus/exchanges.hpp"
#include "08_many_gpus/force_sum.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

class Gather : public ExchangeForces {
 public:
  explicit Gather(const RankWork& work) : ExchangeForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Timeline* timeline) override {
    const Shares& shares = work_.shares;
    real4* all = all_.reserve(shares.bodies);
    TimedSpan transfer(timeline, Timeline::communication, stream());
    work_.transport.gather(bodies.data(), all, shares, stream());
    transfer.end();
    const TimedSpan sum(timeline, Timeline::compute, stream());
    sums_.begin(accelerations);
    sums_.add(bodies, all, 0, shares.ranks, accelerations, stream());
    sums_.end(accelerations);
  }

 private:
  ForceSum sums_{work_};
  DeviceBuffer<real4> all_{"all bodies"};
};

}  // namespace

std::unique_ptr<RankForces> makeGather(const RankWork& work) {
  return std::make_unique<Gather>(work);
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
