/// \file
/// pairs: Newton's third law across ranks, with the kernel of step 05.
///
/// Change: bodies go half way round the ring, each pair of ranks meets once, and the reactions go
/// straight home in the next turn. Predicted limiter: issue. There are half as many interactions,
/// but one more turn at the end, in which only the last reactions are sent.
#include "08_many_gpus/exchanges.hpp"
#include "08_many_gpus/meetings.hpp"
#include "08_many_gpus/pair_tiles.cuh"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

/// Thread i adds the reaction on body i from another rank. Atomic, because the rank's own pairs add
/// to the same sums at the same time.
__global__ void addReactions(const real4* reactions, int count, real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&accelerations[i], reactions[i]);
}

class PairsOfRanks : public ExchangeForces {
 public:
  explicit PairsOfRanks(const RankWork& work) : ExchangeForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Timeline* timeline) override {
    reserve();
    accelerations.clear();
    moved_.record(stream());
    waitFor(link_, moved_);  // bodies have moved, and the last evaluation has ended
    waitFor(across_, moved_);
    const int farthest = meetings_.farthest();
    // Turn t computes the forces between own bodies and those of the rank t back. Meanwhile the
    // next bodies and the last turn's reactions are sent. One more turn sends the final ones.
    for (int turn = 0; turn <= farthest + (farthest > 0); ++turn) {
      // Reactions are sent after they are summed, and a buffer is filled after it was read.
      if (turn > 0) waitFor(link_, summed_);
      TimedSpan transfer(timeline, Timeline::communication, link_);
      const bool travelling = startTravel(turn, farthest, bodies);
      TimedSpan sum(timeline, Timeline::compute, turn == 0 ? stream() : across_);
      if (turn == 0) sumOwn(bodies, accelerations);
      else if (turn <= farthest) sumWith(turn, bodies, accelerations);
      sum.end();
      summed_.record(across_);
      if (travelling) work_.transport.finish(link_);
      transfer.end();
      arrived_.record(link_);
      waitFor(across_, arrived_);
      if (turn > 1) addReceived(turn - 1, accelerations);
    }
    added_.record(across_);
    waitFor(stream(), added_);
  }

 private:
  void reserve() {
    const std::size_t most = work_.shares.most();
    for (auto* buffers : {&receivedBodies_, &reactions_, &receivedReactions_})
      for (auto& buffer : *buffers) buffer.reserve(most);
  }

  /// Starts the messages of this turn. Returns whether there are any.
  bool startTravel(int turn, int farthest, const DeviceArray<real4>& bodies) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    if (turn < farthest) {
      const real4* sources = turn == 0 ? bodies.data() : receivedBodies_[turn % 2].data();
      outgoing.push_back({sources, countOf(rankAt(-turn)), rankAt(1)});
      incoming.push_back(
          {receivedBodies_[(turn + 1) % 2].data(), countOf(rankAt(-turn - 1)), rankAt(-1)});
    }
    if (turn > 1) {
      const int owner = rankAt(1 - turn), partner = rankAt(turn - 1);
      outgoing.push_back(
          {reactions_[(turn - 1) % 2].data(), meetings_.rangeOf(owner, work_.rank).count(), owner});
      incoming.push_back({receivedReactions_[(turn - 1) % 2].data(),
                          meetings_.reactionsFrom(partner).count(),
                          partner});
    }
    if (!outgoing.empty()) work_.transport.start(outgoing, incoming, link_);
    return !outgoing.empty();
  }

  /// Sums a rank's own pairs, which run when pairs across ranks leave room. The first kFirstRows
  /// have short tiles. When these end, there is room for the message in flight, and then for the
  /// pairs with its bodies. More rows would take longer than any message.
  void sumOwn(const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations) {
    const int count = countOf(work_.rank);
    const TileShape shape = tileShape(count, count, true);
    const int rows = meetings_.farthest() > 0 ? std::min(count / 5, kFirstRows) : 0;
    const int first = rows / shape.side() * shape.side();
    sumTriangle(bodies.data(), {0, first}, shortTile(shape), work_, accelerations.data(), stream());
    sumTriangle(bodies.data(), {first, count}, shape, work_, accelerations.data(), stream());
  }

  void sumWith(int turn, const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations) {
    const int other = rankAt(-turn);
    const ShareRange rows = meetings_.rangeOf(work_.rank, other);
    const ShareRange columns = meetings_.rangeOf(other, work_.rank);
    real4* reactions = reactions_[turn % 2].data();
    CUDA_CHECK(cudaMemsetAsync(reactions, 0, columns.count() * sizeof(real4), across_));
    sumRectangle(bodies.data() + rows.begin,
                 rows.count(),
                 receivedBodies_[turn % 2].data() + columns.begin,
                 columns.count(),
                 work_,
                 accelerations.data() + rows.begin,
                 reactions,
                 across_);
  }

  void addReceived(int turn, DeviceArray<real4>& accelerations) {
    const ShareRange range = meetings_.reactionsFrom(rankAt(turn));
    if (range.count() == 0) return;
    constexpr int kThreads = 128;
    addReactions<<<blocksFor(range.count(), kThreads), kThreads, 0, across_>>>(
        receivedReactions_[turn % 2].data(), range.count(), accelerations.data() + range.begin);
    CUDA_CHECK(cudaGetLastError());
  }

  using Two = std::vector<DeviceBuffer<real4>>;
  static Two two(const std::string& name) {
    Two buffers;
    for (int k = 0; k < 2; ++k) buffers.emplace_back(name);
    return buffers;
  }

  static constexpr int kFirstRows = 8192;

  Meetings meetings_{work_.rank, work_.shares};
  /// Stream of the pairs across ranks. They have priority, because others wait for their reactions.
  /// The rank's own pairs fill the time that is left.
  Stream across_{1};
  Stream link_{kLinkAhead};
  Two receivedBodies_ = two("bodies of another rank");
  Two reactions_ = two("reactions of the bodies of another rank");
  Two receivedReactions_ = two("reactions from another rank");
  Event moved_, arrived_, summed_, added_;
};

}  // namespace

std::unique_ptr<RankForces> makePairs(const RankWork& work) {
  return std::make_unique<PairsOfRanks>(work);
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
