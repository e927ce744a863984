// Task: 8.2
// Kind: other work
// Tries: a message from each rank to each other in place of the ring.
// Stopped by: the transport of the ranks: round the ring they go to the next rank alone.
#include "exchange/pulls.hpp"

namespace nbody {

namespace {

class AllToAll : public RankForces {
 public:
  explicit AllToAll(const RankWork& work) : RankForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans*) override {
    real4* all = all_.reserve(work_.shares.bodies);
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (int rank = 0; rank < work_.shares.ranks; ++rank) {
      outgoing.push_back({bodies.data(), countOf(work_.rank), rank});
      incoming.push_back({all + work_.shares.begin(rank), countOf(rank), rank});
    }
    work_.transport.start(outgoing, incoming, stream());
    work_.transport.finish(stream());
    sums_.begin(accelerations);
    sums_.add(bodies, all, 0, work_.shares.ranks, accelerations, stream());
    sums_.end(accelerations);
  }

 private:
  PullSums sums_{work_};
  DeviceBuffer<real4> all_{"all bodies"};
};

}  // namespace

std::unique_ptr<RankForces> makeRing(const RankWork& work) {
  return std::make_unique<AllToAll>(work);
}

}  // namespace nbody
