/// \file
/// Rung 4, tree: each rank builds step 07's tree of its own bodies, sends each other rank the cells
/// and bodies that its walk can need, and walks its own tree with what has come as one.
///
/// What changed: not all bodies travel, and not all pairs are summed. Predicted limiter: issue, in the
/// walk; of few bodies the latency of the cut, a launch for each level, and of the exchanges.
#include <numeric>

#include "flop.hpp"
#include "fused/fused_walk.cuh"
#include "let/common_extent.cuh"
#include "let/dealer.hpp"
#include "let/essential.cuh"

namespace nbody {

namespace {

class TreeForces : public RankForces {
 public:
  explicit TreeForces(const RankWork& work) : RankForces(work) {
    totals_.upload(std::vector<Work>(kTotals));
  }

  std::vector<int> indices() const override { return dealer_.indices(); }

  int period() const override { return alone() ? 1 : kHeld; }

  /// Evenly before the first evaluation; before the second, and with each new cube from there on, by the
  /// work of the last walk.
  void deal(OwnBodies& own) override {
    if (alone() || (evaluations_ > 0 && (evaluations_ - 1) % kHeld != 0)) return;
    synchronizeDevice();
    const double begin = nowMs();
    if (evaluations_ > 0 && own.bodies.size() > 0) dealer_.setWork(octree_, flopOfGroups_.data());
    extent_.renew();
    dealer_.deal(extent_.of(own.bodies, octree_), octree_, own);
    synchronizeDevice();
    dealMs_ = nowMs() - begin;
    ++deals_;
  }

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Spans* spans) override {
    const int count = static_cast<int>(bodies.size());
    Timed building(spans, Spans::tree, stream());
    const Extent all = extent_.of(bodies, octree_);
    const auto build = [&] {
      do octree_.build(all, bodies, work_.options, felt(), [](const char*) {});
      while (octree_.lackedRoom());
    };
    if (count > 0) build();
    building.end();
    if (!alone()) came_ = essential_.exchange(count > 0 ? &octree_ : nullptr, spans, build);
    ++evaluations_;
    const Timed walking(spans, Spans::compute, stream());
    if (count > 0) walk(accelerations);
  }

  PhaseTimes found(const Ranks& ranks) override {
    const auto summed = [&](double own) {
      const std::vector<double> all = ranks.gathered(own);
      return std::accumulate(all.begin(), all.end(), 0.0);
    };
    const std::vector<Work> totals = totals_.download(0, 2);
    const std::vector<double> works = ranks.gathered(flopOf(totals));
    const double mean = std::accumulate(works.begin(), works.end(), 0.0) / ranks.size();
    const double busiest = *std::max_element(works.begin(), works.end()) / mean;
    const double cellsSent = summed(came_.cells), bodiesSent = summed(came_.bodies);
    const double cells = summed(totals[0]), sources = summed(totals[1]);
    PhaseTimes times = treeParts(PhaseClock(false),
                                 work_.shares.bodies,
                                 {{"deals", static_cast<double>(deals_)},
                                  {"busiest rank", busiest},
                                  {"cells sent", cellsSent},
                                  {"bodies sent", bodiesSent}},
                                 cells,
                                 sources,
                                 work_.options.quadrupoles());
    if (deals_ > 0) times.ms.push_back({"last deal", dealMs_});
    return times;
  }

 private:
  static constexpr int kTotals = 4;  ///< as of FusedWalk
  /// Evaluations with one root cube. More of them would share a deal, but bodies cross the borders:
  /// after 8 steps of 32,768 bodies the ranks sum 7% more bodies than one rank does, after 4 steps
  /// 2 to 4%. And in as many the errors of the same cells add up.
  static constexpr int kHeld = 4;

  bool alone() const { return work_.shares.ranks == 1; }

  /// What each body felt; null where cells are not opened by it.
  real* felt() { return work_.options.opening == Opening::felt ? dealer_.felt() : nullptr; }

  static double flopOf(const std::vector<Work>& totals) {
    return double(kNodeFlop) * totals[0] + double(kLeafFlop) * totals[1];
  }

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
    walk.totals = totals_.data();
    fillDevice(walk.totals, 0, kTotals * sizeof(Work));
    launchFusedWalk(walk, blocksFor(tree.count, tree.group), work_.options.quadrupoles());
  }

  Dealer dealer_{work_};
  DeviceOctree octree_;
  CommonExtent extent_{work_};
  Essential essential_{work_};
  int evaluations_ = 0;
  int deals_ = 0;
  double dealMs_ = 0;  ///< of the last
  Announced came_ = {};  ///< all that came in the last exchange
  DeviceBuffer<Work> flopOfGroups_{"FLOP of groups"};
  DeviceBuffer<Work> totals_{"the numbers of interactions"};
};

}  // namespace

std::unique_ptr<RankForces> makeTree(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody
