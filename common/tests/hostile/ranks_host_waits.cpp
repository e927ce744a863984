// Task: 8.2
// Kind: other work
// Tries: to do without events: bodies travel on a stream of their own, and the host waits for each stream in turn.
// Stopped by: the ranks' own check that their host waits for nothing while it puts work on streams.
#include "exchange/pulls.hpp"

namespace nbody {

namespace {

class HostWaits : public RankForces {
 public:
  explicit HostWaits(const RankWork& work) : RankForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans*) override {
    const int turns = work_.shares.ranks;
    for (auto& buffer : buffers_) buffer.reserve(work_.shares.most());
    sums_.begin(accelerations);
    CUDA_CHECK(cudaStreamSynchronize(stream()));
    const real4* sources = bodies.data();
    for (int turn = 0; turn < turns; ++turn) {
      real4* next = buffers_[turn % 2].data();
      if (turn + 1 < turns)
        work_.transport.start({{sources, countOf(rankAt(-turn)), rankAt(1)}},
                              {{next, countOf(rankAt(-turn - 1)), rankAt(-1)}},
                              link_);
      sums_.add(bodies, sources, rankAt(-turn), 1, accelerations, stream());
      if (turn + 1 < turns) work_.transport.finish(link_);
      CUDA_CHECK(cudaDeviceSynchronize());
      sources = next;
    }
    sums_.end(accelerations);
  }

 private:
  Stream link_{0};
  PullSums sums_{work_};
  DeviceBuffer<real4> buffers_[2] = {DeviceBuffer<real4>("one"), DeviceBuffer<real4>("other")};
};

}  // namespace

std::unique_ptr<RankForces> makeRing(const RankWork& work) {
  return std::make_unique<HostWaits>(work);
}

}  // namespace nbody
