/// \file
/// Rung 4, tree: each rank builds step 07's tree of its own bodies, sends each other rank the cells
/// and bodies that its walk can need, and walks first its own tree, then what has come.
///
/// What changed: not all bodies travel, and not all pairs are summed. Predicted limiter: issue, in the
/// walk; of few bodies the latency of the cut, a launch for each level, and of the exchanges.
#include <numeric>

#include "fused/fused_walk.cuh"
#include "let/dealer.hpp"
#include "let/essential.cuh"

namespace nbody {

namespace {

/// The busiest rank may come to have so many times the work that it had after the last deal.
constexpr double kStrain = 1.05;

/// Sums of which a rank sends two, the second of nothing: one is no whole number of real4.
constexpr int kSent = 2;

/// A warp adds up \p parts.
static __global__ void ownSumsKernel(const Sums* parts, int count, Sums* own) {
  const Sums all = sumByWarp(parts, count);
  if (threadIdx.x < kSent) own[threadIdx.x] = threadIdx.x == 0 ? all : noSums();
}

class TreeForces : public RankForces {
 public:
  explicit TreeForces(const RankWork& work) : RankForces(work) {
    totals_.upload(std::vector<Work>(2 * kTotals));
  }

  std::vector<int> indices() const override { return dealer_.indices(); }

  void deal(OwnBodies& own) override {
    if (origin_.data() == nullptr) setOrigin(own.bodies);
    if (!due_) return;
    if (evaluations_ > 0 && own.bodies.size() > 0)
      dealer_.setWork(octree_, flopOfGroups_.data());
    dealer_.deal(extentOfAll(own.bodies), octree_, own);
    due_ = false;
    dealtAt_ = evaluations_;
  }

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans* spans) override {
    const bool alone = work_.shares.ranks == 1;
    const int count = static_cast<int>(bodies.size());
    const DeviceOctree* own = count > 0 ? &octree_ : nullptr;
    real* felt = work_.options.opening == Opening::felt ? dealer_.felt() : nullptr;
    Timed building(spans, Spans::tree, stream());
    const Extent all = extentOfAll(bodies);
    if (count > 0) build(all, bodies, felt);
    building.end();
    if (!alone) essential_.cut(own, spans);
    Timed walking(spans, Spans::compute, stream());
    FusedWalk<OpensByReach> walk = walkOf(accelerations);
    if (alone) walk.felt = felt;
    if (count > 0) launch(walk);
    walking.end();
    ++evaluations_;
    if (alone) return;
    judge(essential_.exchange(own, workBefore(), spans));
    if (count == 0) return;
    const Timed more(spans, Spans::compute, stream());
    fillDevice(walk.nextGroup, 0, sizeof(int));
    Forest& forest = essential_.forest();
    walk.tree = forest.view(walk.tree.groups);
    walk.sources = forest.bodies();
    walk.rule.reaches = forest.reaches();
    walk.adds = true;
    walk.felt = felt;
    walk.capacity = fusedStackFor(Forest::depth(work_.shares.ranks - 1));
    launch(walk);
  }

  PhaseTimes found(const Ranks& ranks) override {
    const auto summed = [&](double own) {
      const std::vector<double> all = ranks.gathered(own);
      return std::accumulate(all.begin(), all.end(), 0.0);
    };
    const std::vector<Work> totals = totals_.download(kTotals * (evaluations_ % 2), 2);
    const double cells = summed(totals[0]), sources = summed(totals[1]);
    const double cellsSent = summed(came_.cells), bodiesSent = summed(came_.bodies);
    const double bodies = work_.shares.bodies;
    return treeParts(PhaseClock(false),
                     bodies,
                     {{"cells sent", cellsSent}, {"bodies sent", bodiesSent}},
                     cells,
                     sources,
                     work_.options.quadrupoles());
  }

 private:
  static constexpr int kTotals = 4;  ///< as of FusedWalk

  /// Bodies far from 0 would not show how wide they lie, in sums about 0.
  void setOrigin(const DeviceArray<real4>& bodies) {
    real4 first = {0, 0, 0, 0};
    if (bodies.size() > 0) copyToHost(&first, bodies.data(), sizeof first);
    const std::vector<real4> firsts = Ranks::world().known(first);
    int rank = 0;
    while (work_.shares.count(rank) == 0) ++rank;
    origin_.upload({firsts[rank]});
  }

  /// How wide all ranks' bodies lie.
  Extent extentOfAll(const DeviceArray<real4>& bodies) {
    Extent extent = {nullptr, 0};
    if (bodies.size() > 0)
      extent = octree_.extentOf(bodies, origin_.data(), work_.options);
    const int ranks = work_.shares.ranks;
    if (ranks == 1) return extent;
    Sums* own = ownSums_.reserve(kSent);
    Sums* all = allSums_.reserve(ranks * kSent);
    ownSumsKernel<<<1, 32, 0, stream()>>>(extent.parts, extent.count, own);
    CUDA_CHECK(cudaGetLastError());
    constexpr int kWords = kSent * sizeof(Sums) / sizeof(real4);
    static_assert(kWords * sizeof(real4) == kSent * sizeof(Sums));
    work_.transport.gather(reinterpret_cast<const real4*>(own),
                           reinterpret_cast<real4*>(all),
                           {ranks * kWords, ranks, kWords},
                           stream());
    return {all, ranks * kSent};
  }

  void build(const Extent& all, const DeviceArray<real4>& bodies, const real* felt) {
    do octree_.build(all, bodies, work_.options, felt, [](const char*) {});
    while (octree_.lackedRoom());
  }

  /// Of this rank's tree.
  FusedWalk<OpensByReach> walkOf(DeviceArray<real4>& accelerations) {
    const TreeArrays& tree = octree_.arrays();
    FusedWalk<OpensByReach> walk = {octree_.view(),
                                    tree.bodies,
                                    tree.order,
                                    work_.softeningSquared,
                                    accelerations.data(),
                                    {tree.reaches, tree.eases}};
    walk.capacity = fusedStackFor(kKeyLevels);
    walk.groups = &tree.state->groups;
    walk.nextGroup = &tree.state->nextGroup;
    walk.fullAt = &tree.state->fullAt;
    const int groups = accelerations.size() == 0 ? 0 : mostGroups(tree.count, tree.group);
    walk.work = flopOfGroups_.reserve(groups);
    fillDevice(walk.work, 0, groups * sizeof(Work));
    // The host learns those of the evaluation before while this one's are added up.
    walk.totals = totals_.data() + kTotals * ((evaluations_ + 1) % 2);
    fillDevice(walk.totals, 0, kTotals * sizeof(Work));
    return walk;
  }

  void launch(const FusedWalk<OpensByReach>& walk) {
    const int count = octree_.arrays().count;
    launchFusedWalk(
        walk, blocksFor(count, work_.options.group), work_.options.quadrupoles());
  }

  /// FLOP of this rank's walk in the evaluation before.
  double workBefore() {
    Work totals[2] = {};
    CUDA_CHECK(cudaMemcpyAsync(totals,
                               totals_.data() + kTotals * ((evaluations_ + 1) % 2),
                               sizeof totals,
                               cudaMemcpyDeviceToHost,
                               essential_.link()));
    CUDA_CHECK(cudaStreamSynchronize(essential_.link()));
    return double(kNodeFlop) * totals[0] + double(kLeafFlop) * totals[1];
  }

  /// Whether bodies are to be dealt out anew, by the work of the evaluation before: the same on all
  /// ranks.
  void judge(const std::vector<Announced>& ranks) {
    came_ = {};
    double busiest = 0, mean = 0;
    for (const Announced& rank : ranks) {
      busiest = std::max(busiest, rank.work);
      mean += rank.work / ranks.size();
      came_.cells += rank.cells;
      came_.bodies += rank.bodies;
    }
    const int walks = evaluations_ - 1 - dealtAt_;  // since the last deal
    if (walks == 0) return;
    // The first deal knew of no work: it may have been as uneven as it likes.
    if (walks == 1) fair_ = dealtAt_ == 0 ? mean : busiest;
    due_ = busiest > kStrain * fair_;
  }

  Dealer dealer_{work_};
  DeviceOctree octree_;
  Essential essential_{work_};
  bool due_ = work_.shares.ranks > 1;
  int evaluations_ = 0;
  int dealtAt_ = 0;  ///< evaluations before the last deal
  double fair_ = 0;  ///< the busiest rank's work that a deal can bring about
  Announced came_ = {};  ///< all that came in the last exchange
  DeviceBuffer<real4> origin_{"a body's place"};
  DeviceBuffer<Sums> ownSums_{"extent of this rank's bodies"};
  DeviceBuffer<Sums> allSums_{"extent of all ranks' bodies"};
  DeviceBuffer<Work> flopOfGroups_{"FLOP of groups"};
  DeviceBuffer<Work> totals_{"the numbers of interactions"};
};

}  // namespace

std::unique_ptr<RankForces> makeTree(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody
