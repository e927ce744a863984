/// \file
/// Rung 3, pairs: Newton's third law across ranks, by the kernel of step 05.
///
/// What changed: bodies go half way round the ring, each pair of ranks meets once, and the reactions
/// go straight home, in the turn after. Predicted limiter: issue; half the interactions, but a turn
/// more at the end, in which only the last reactions travel.
#include "cuda/device_buffer.hpp"
#include "cuda/multiprocessors.hpp"
#include "exchange/rank_forces.hpp"
#include "pairs.cuh"

namespace nbody {

namespace {

/// All tiles of a rectangle: the rows' bodies are one rank's, the columns' another's.
struct RectangleOfTiles {
  static constexpr bool kTriangle = false;
  int rows;
  int columns;
  dim3 grid() const { return foldedGrid(columns, rows); }
  __host__ __device__ Tile operator()(unsigned x, unsigned y) const {
    return y < static_cast<unsigned>(rows) ? Tile{static_cast<int>(y), static_cast<int>(x)}
                                           : kNoTile;
  }
};

/// Bodies `begin` to `end` - 1 of a rank.
struct Range {
  int begin;
  int end;
  int count() const { return end - begin; }
};

/// Thread i adds the reaction that body i felt elsewhere, while the rank's own pairs are summed.
__global__ void addReactions(const real4* reactions, int count, real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&accelerations[i], reactions[i]);
}

class PairsOfRanks : public RankForces {
 public:
  explicit PairsOfRanks(const RankWork& work) : RankForces(work) {}

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans* spans) override {
    reserve();
    accelerations.clear();
    moved_.record(stream());
    moved_.holdUp(link_);  // the bodies are where they are now, the last evaluation is over
    moved_.holdUp(across_);
    const int farthest = work_.shares.ranks / 2;
    // Turn t: the forces between own bodies and those of the rank t back; meanwhile the next bodies
    // and the last reactions travel. After the last forces, their reactions.
    for (int turn = 0; turn <= farthest + (farthest > 0); ++turn) {
      // Reactions leave when they are summed, and a buffer is filled once it was read.
      if (turn > 0) summed_.holdUp(link_);
      Timed travel(spans, Spans::communication, link_);
      const bool travelling = startTravel(turn, farthest, bodies);
      Timed sum(spans, Spans::compute, turn == 0 ? stream() : across_);
      if (turn == 0) sumOwn(bodies, accelerations);
      else if (turn <= farthest) sumWith(turn, bodies, accelerations);
      sum.end();
      summed_.record(across_);
      if (travelling) work_.transport.finish(link_);
      travel.end();
      arrived_.record(link_);
      arrived_.holdUp(across_);
      if (turn > 1) addHome(turn - 1, accelerations);
    }
    added_.record(across_);
    added_.holdUp(stream());
  }

 private:
  void reserve() {
    const std::size_t most = work_.shares.most();
    for (auto* buffers : {&visitors_, &reactions_, &home_})
      for (auto& buffer : *buffers) buffer.reserve(most);
  }

  /// Whether \p rank is the lower of two that lie half way round: both meet the other there.
  bool isHalved(int rank, int other) const {
    return rank < other && 2 * (other - rank) == work_.shares.ranks;
  }

  /// Which bodies of \p rank meet those of \p other here, one of them this rank: all, but half of
  /// those of a rank that is halved.
  Range rangeOf(int rank, int other) const {
    const int count = countOf(rank);
    if (!isHalved(rank, other)) return {0, count};
    // The lower takes its own first half, the other the second.
    return rank == work_.rank ? Range{0, count / 2} : Range{count / 2, count};
  }

  /// Those of the reactions of this rank's bodies that come from \p other.
  Range reactionsFrom(int other) const {
    const int count = countOf(work_.rank);
    return {isHalved(work_.rank, other) ? count / 2 : 0, count};
  }

  /// Whether there is anything that travels in this turn.
  bool startTravel(int turn, int farthest, const DeviceArray<real4>& bodies) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    if (turn < farthest) {
      const real4* sources = turn == 0 ? bodies.data() : visitors_[turn % 2].data();
      outgoing.push_back({sources, countOf(rankAt(-turn)), rankAt(1)});
      incoming.push_back(
          {visitors_[(turn + 1) % 2].data(), countOf(rankAt(-turn - 1)), rankAt(-1)});
    }
    if (turn > 1) {
      const int visited = rankAt(1 - turn), visitor = rankAt(turn - 1);
      outgoing.push_back(
          {reactions_[(turn - 1) % 2].data(), rangeOf(visited, work_.rank).count(), visited});
      incoming.push_back({home_[(turn - 1) % 2].data(), reactionsFrom(visitor).count(), visitor});
    }
    if (!outgoing.empty()) work_.transport.start(outgoing, incoming, link_);
    return !outgoing.empty();
  }

  /// A tile is of `block` threads with as many bodies each.
  struct Shape {
    int block;
    int bodiesPerThread;
    int side() const { return block * bodiesPerThread; }
  };

  /// The largest of which each multiprocessor has 14 tiles, as in step 05; but with fewer threads
  /// before fewer bodies in each, for another rank waits: on two H200 6% faster at N = 16,384.
  static Shape shapeOf(int rows, int columns, bool triangle) {
    for (int bodies : {8, 4, 2, 1})
      for (int block : {64, 32}) {
        const Shape shape = {block, bodies};
        const long long tiles = 1LL * blocksFor(rows, shape.side()) *
                                blocksFor(columns, shape.side()) / (triangle ? 2 : 1);
        if (tiles >= 14LL * multiprocessors()) return shape;
      }
    return {32, 1};
  }

  template <class Map>
  void launch(const Map& map,
              const Shape& shape,
              const Pairs& pairs,
              Sums sums,
              cudaStream_t stream) {
    sums.side = shape.side();
    sums.count = pairs.count;
    const bool equal = work_.options.equalMasses;
    launchPairs(map, pairs, shape.block, shape.bodiesPerThread, equal, sums, stream);
  }

  void sumOwn(const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations) {
    const int count = countOf(work_.rank);
    if (count == 0) return;
    const Shape shape = shapeOf(count, count, true);
    const int tiles = blocksFor(count, shape.side());
    const Pairs pairs = {bodies.data(), count, bodies.data(), count, work_.softeningSquared};
    real4* sums = accelerations.data();
    launch(LambdaMap(tiles), shape, pairs, {0, tiles, 0, 0, sums, sums}, stream());
  }

  void sumWith(int turn, const DeviceArray<real4>& bodies, DeviceArray<real4>& accelerations) {
    const int other = rankAt(-turn);
    const Range rows = rangeOf(work_.rank, other), columns = rangeOf(other, work_.rank);
    real4* reactions = reactions_[turn % 2].data();
    CUDA_CHECK(cudaMemsetAsync(reactions, 0, columns.count() * sizeof(real4), across_));
    if (rows.count() == 0 || columns.count() == 0) return;
    const Shape shape = shapeOf(rows.count(), columns.count(), false);
    const RectangleOfTiles map = {static_cast<int>(blocksFor(rows.count(), shape.side())),
                                  static_cast<int>(blocksFor(columns.count(), shape.side()))};
    const Pairs pairs = {bodies.data() + rows.begin,
                         rows.count(),
                         visitors_[turn % 2].data() + columns.begin,
                         columns.count(),
                         work_.softeningSquared};
    real4* sums = accelerations.data() + rows.begin;
    launch(map, shape, pairs, {0, map.rows, 0, 0, sums, reactions}, across_);
  }

  void addHome(int turn, DeviceArray<real4>& accelerations) {
    const Range range = reactionsFrom(rankAt(turn));
    if (range.count() == 0) return;
    constexpr int kThreads = 128;
    addReactions<<<blocksFor(range.count(), kThreads), kThreads, 0, across_>>>(
        home_[turn % 2].data(), range.count(), accelerations.data() + range.begin);
    CUDA_CHECK(cudaGetLastError());
  }

  using Two = std::vector<DeviceBuffer<real4>>;
  static Two two(const std::string& name) {
    Two buffers;
    for (int k = 0; k < 2; ++k) buffers.emplace_back(name);
    return buffers;
  }

  /// Of the pairs across ranks: they go first, for others wait for their reactions, and the rank's own
  /// pairs fill what they leave.
  Stream across_{1};
  Stream link_{kLinkAhead};
  Two visitors_ = two("bodies of another rank");
  Two reactions_ = two("reactions of another rank's bodies");
  Two home_ = two("reactions from another rank");
  Event moved_, arrived_, summed_, added_;
};

}  // namespace

std::unique_ptr<RankForces> makePairs(const RankWork& work) {
  return std::make_unique<PairsOfRanks>(work);
}

}  // namespace nbody
