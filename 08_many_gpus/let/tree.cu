/// \file
/// Rung 4, tree: each rank builds step 07's tree of its own bodies, sends each other rank the cells
/// and bodies that its walk can need, and walks first its own tree, then what has come.
///
/// What changed: not all bodies travel, and not all pairs are summed. Predicted limiter: issue, in the
/// walk; of few bodies the latency of the cut, a launch for each level, and of the exchanges.
#include <numeric>

#include "fused/fused_walk.cuh"
#include "let/common_extent.cuh"
#include "let/dealer.hpp"
#include "let/essential.cuh"
#include "let/strain.hpp"

namespace nbody {

namespace {

class TreeForces : public RankForces {
 public:
  explicit TreeForces(const RankWork& work) : RankForces(work) {
    totals_.upload(std::vector<Work>(2 * kTotals));
  }

  std::vector<int> indices() const override { return dealer_.indices(); }

  void deal(OwnBodies& own) override {
    if (!due_) return;
    const bool byWork = evaluations_ > 0;
    if (byWork && own.bodies.size() > 0) dealer_.setWork(octree_, flopOfGroups_.data());
    dealer_.deal(extent_.of(own.bodies, octree_), octree_, own);
    due_ = false;
    strain_.dealt(byWork);
    walked_ = false;
    ++deals_;
  }

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans* spans) override {
    const bool alone = work_.shares.ranks == 1;
    const int count = static_cast<int>(bodies.size());
    const DeviceOctree* own = count > 0 ? &octree_ : nullptr;
    real* felt = work_.options.opening == Opening::felt ? dealer_.felt() : nullptr;
    Timed building(spans, Spans::tree, stream());
    const Extent all = extent_.of(bodies, octree_);
    if (count > 0) build(all, bodies, felt);
    building.end();
    if (!alone) {
      essential_.cut(own, spans);
      judge(essential_.start(own, workBefore(), spans));
    }
    Timed walking(spans, Spans::compute, stream());
    FusedWalk<OpensByReach> walk = walkOf(accelerations);
    if (alone) walk.felt = felt;
    if (count > 0) launch(walk);
    walking.end();
    ++evaluations_;
    if (alone) return;
    essential_.finish(spans);
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
    const std::vector<double> works = ranks.gathered(flopOf(totals.data()));
    const double mean = std::accumulate(works.begin(), works.end(), 0.0) / ranks.size();
    const double busiest = *std::max_element(works.begin(), works.end()) / mean;
    const double cellsSent = summed(came_.cells), bodiesSent = summed(came_.bodies);
    const double cells = summed(totals[0]), sources = summed(totals[1]);
    return treeParts(PhaseClock(false),
                     work_.shares.bodies,
                     {{"deals", static_cast<double>(deals_)},
                      {"busiest rank", busiest},
                      {"cells sent", cellsSent},
                      {"bodies sent", bodiesSent}},
                     cells,
                     sources,
                     work_.options.quadrupoles());
  }

 private:
  static constexpr int kTotals = 4;  ///< as of FusedWalk

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
    launchFusedWalk(walk, blocksFor(count, work_.options.group), work_.options.quadrupoles());
  }

  /// FLOP of this rank's walk in the evaluation before.
  double workBefore() {
    Work totals[2] = {};
    CUDA_CHECK(cudaMemcpyAsync(totals,
                               totals_.data() + kTotals * (evaluations_ % 2),
                               sizeof totals,
                               cudaMemcpyDeviceToHost,
                               essential_.link()));
    CUDA_CHECK(cudaStreamSynchronize(essential_.link()));
    return flopOf(totals);
  }

  static double flopOf(const Work* totals) {
    return double(kNodeFlop) * totals[0] + double(kLeafFlop) * totals[1];
  }

  /// Looks at the work of the evaluation before.
  void judge(const std::vector<Announced>& ranks) {
    came_ = {};
    std::vector<double> work;
    for (const Announced& rank : ranks) {
      work.push_back(rank.work);
      came_.cells += rank.cells;
      came_.bodies += rank.bodies;
    }
    due_ = std::exchange(walked_, true) && strain_.add(work);
  }

  Dealer dealer_{work_};
  DeviceOctree octree_;
  CommonExtent extent_{work_};
  Essential essential_{work_};
  bool due_ = work_.shares.ranks > 1;
  int evaluations_ = 0;
  int deals_ = 0;
  bool walked_ = false;  ///< since the last deal
  Strain strain_;
  Announced came_ = {};  ///< all that came in the last exchange
  DeviceBuffer<Work> flopOfGroups_{"FLOP of groups"};
  DeviceBuffer<Work> totals_{"the numbers of interactions"};
};

}  // namespace

std::unique_ptr<RankForces> makeTree(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody
