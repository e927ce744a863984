/// \file
/// Rung 4, tree: each rank builds step 07's tree of its own bodies, sends each other rank the cells
/// and bodies that its walk can need, and walks its own tree with what has come as one.
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
    Timed building(spans, Spans::tree, stream());
    const Extent all = extent_.of(bodies, octree_);
    const auto build = [&] {
      do octree_.build(all, bodies, work_.options, felt(), [](const char*) {});
      while (octree_.lackedRoom());
    };
    if (count > 0) build();
    building.end();
    if (!alone)
      judge(essential_.exchange(
          count > 0 ? &octree_ : nullptr, totalsOf(evaluations_), spans, build));
    ++evaluations_;
    const Timed walking(spans, Spans::compute, stream());
    if (count > 0) walk(accelerations);
  }

  PhaseTimes found(const Ranks& ranks) override {
    const auto summed = [&](double own) {
      const std::vector<double> all = ranks.gathered(own);
      return std::accumulate(all.begin(), all.end(), 0.0);
    };
    const std::vector<Work> totals = totals_.download(kTotals * (evaluations_ % 2), 2);
    const std::vector<double> works = ranks.gathered(Essential::flopOf(totals.data()));
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

  /// What each body felt; null where cells are not opened by it.
  real* felt() { return work_.options.opening == Opening::felt ? dealer_.felt() : nullptr; }

  /// Those of the walk \p evaluation; the host learns them while the next one's are added up.
  Work* totalsOf(int evaluation) { return totals_.data() + kTotals * (evaluation % 2); }

  /// Over this rank's tree with what came.
  void walk(DeviceArray<real4>& accelerations) {
    const TreeArrays& tree = octree_.arrays();
    FusedWalk<OpensByReach> walk = {octree_.view(),
                                    tree.bodies,
                                    tree.order,
                                    work_.softeningSquared,
                                    accelerations.data(),
                                    {tree.reaches, tree.eases}};
    const int guests = work_.shares.ranks - 1;
    walk.capacity = fusedStackFor(guests == 0 ? kKeyLevels : depthWith(guests));
    walk.groups = &tree.state->groups;
    walk.nextGroup = &tree.state->nextGroup;
    walk.fullAt = &tree.state->fullAt;
    walk.felt = felt();
    const int groups = mostGroups(tree.count, tree.group);
    walk.work = flopOfGroups_.reserve(groups);
    fillDevice(walk.work, 0, groups * sizeof(Work));
    walk.totals = totalsOf(evaluations_);
    fillDevice(walk.totals, 0, kTotals * sizeof(Work));
    launchFusedWalk(walk, blocksFor(tree.count, tree.group), work_.options.quadrupoles());
  }

  /// Looks at the work of the evaluation before.
  void judge(const std::vector<Announced>& ranks) {
    came_ = Essential::sumOf(ranks);
    std::vector<double> work;
    for (const Announced& rank : ranks) work.push_back(rank.work);
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
