// Task: 8.2
// Kind: other work
// Tries: the host does not wait, but asks an event again and again whether it is over.
// Stopped by: the same: who has seen that work is over has waited for it.
#include "exchange/pulls.hpp"

namespace nbody {

namespace {

struct Asked {
  void ask(cudaStream_t stream) {
    CUDA_CHECK(cudaEventRecord(event, stream));
    while (cudaEventQuery(event) == cudaErrorNotReady) continue;
  }
  cudaEvent_t event = [] {
    cudaEvent_t made;
    CUDA_CHECK(cudaEventCreate(&made));
    return made;
  }();
};

class AsksTheDevice : public RankForces {
 public:
  explicit AsksTheDevice(const RankWork& work) : RankForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans*) override {
    const int turns = work_.shares.ranks;
    for (auto& buffer : buffers_) buffer.reserve(work_.shares.most());
    sums_.begin(accelerations);
    over_.ask(stream());
    const real4* sources = bodies.data();
    for (int turn = 0; turn < turns; ++turn) {
      real4* next = buffers_[turn % 2].data();
      if (turn + 1 < turns)
        work_.transport.start({{sources, countOf(rankAt(-turn)), rankAt(1)}},
                              {{next, countOf(rankAt(-turn - 1)), rankAt(-1)}},
                              link_);
      sums_.add(bodies, sources, rankAt(-turn), 1, accelerations, stream());
      if (turn + 1 < turns) work_.transport.finish(link_);
      over_.ask(link_);
      over_.ask(stream());
      sources = next;
    }
    sums_.end(accelerations);
  }

 private:
  Stream link_{0};
  Asked over_;
  PullSums sums_{work_};
  DeviceBuffer<real4> buffers_[2] = {DeviceBuffer<real4>("one"), DeviceBuffer<real4>("other")};
};

}  // namespace

std::unique_ptr<RankForces> makeRing(const RankWork& work) {
  return std::make_unique<AsksTheDevice>(work);
}

}  // namespace nbody
