/// \file
/// ring: each rank sums the pulls of the bodies that it has, while it sends them on and
/// receives the next ones.
///
/// Change: the sources arrive in turns, on their own stream. Predicted limiter: issue, until a
/// turn's bodies take longer to send than to pull.
#include "08_many_gpus/exchanges.hpp"
#include "08_many_gpus/force_sum.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

class Ring : public ExchangeForces {
 public:
  explicit Ring(const RankWork& work) : ExchangeForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Timeline* timeline) override {
    const int turns = work_.shares.ranks;
    for (auto& buffer : buffers_)
      if (turns > 1) buffer.reserve(work_.shares.most());
    sums_.begin(accelerations);
    moved_.record(stream());
    waitFor(link_, moved_);  // bodies have moved, and the last evaluation has read both buffers
    waitFor(other_, moved_);
    const real4* sources = bodies.data();
    for (int turn = 0; turn < turns; ++turn) {
      const bool last = turn + 1 == turns;
      const int whose = rankAt(-turn);
      real4* next = buffers_[turn % 2].data();
      if (turn > 1) waitFor(link_, summed_[turn % 2]);  // `next` held the previous turn's bodies
      TimedSpan transfer(last ? nullptr : timeline, Timeline::communication, link_);
      if (!last)
        work_.transport.start({{sources, countOf(whose), rankAt(1)}},
                              {{next, countOf(rankAt(-turn - 1)), rankAt(-1)}},
                              link_);
      TimedSpan sum(timeline, Timeline::compute, streamOf(turn));
      sums_.add(bodies, sources, whose, 1, accelerations, streamOf(turn));
      sum.end();
      summed_[(turn + 1) % 2].record(streamOf(turn));
      if (last) break;
      work_.transport.finish(link_);
      transfer.end();
      arrived_.record(link_);
      waitFor(streamOf(turn + 1), arrived_);
      sources = next;
    }
    over_.record(other_);
    waitFor(stream(), over_);
    sums_.end(accelerations);
  }

 private:
  /// Returns one of two streams in turn, so that two turns' blocks can run at the same time.
  cudaStream_t streamOf(int turn) const { return turn % 2 == 0 ? stream() : other_; }

  ForceSum sums_{work_};
  Stream link_{kLinkAhead}, other_{0};
  DeviceBuffer<real4> buffers_[2] = {DeviceBuffer<real4>("buffer 0 of bodies"),
                                     DeviceBuffer<real4>("buffer 1 of bodies")};
  Event moved_, arrived_, over_;
  Event summed_[2];  ///< pulls of each buffer are summed
};

}  // namespace

std::unique_ptr<RankForces> makeRing(const RankWork& work) { return std::make_unique<Ring>(work); }

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
