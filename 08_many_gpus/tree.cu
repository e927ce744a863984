/// \file
/// Rung 4, tree: each rank builds step 07's tree of its own bodies, sends each other rank the cells
/// and bodies that its walk can need, and walks its own tree with what has come as one.
///
/// What changed: not all bodies travel, and not all pairs are summed. Predicted limiter: issue, in the
/// walk; of few bodies the latency of the cut, a launch for each level, and of the exchanges.
#include <numeric>

#include "exchanges.hpp"
#include "let/common_extent.cuh"
#include "let/decomposition.hpp"
#include "let/essential.cuh"

namespace nbody {

namespace {

/// Counts the pulls of all walks and, in FLOP for one of its bodies, the work of each group.
struct WorkCounter {
  static constexpr int kTotals = 2;

  using Found = walk::WalkCounter::Found;
  Work* totals;  ///< pulls of cells, pulls of bodies
  Work* flopOfGroups;

  __device__ void add(const Found& found, int group, int bodies, bool) const {
    atomicAdd(flopOfGroups + group,
              walk::kNodeFlop * found.cells + walk::kLeafFlop * found.sources);
    atomicAdd(totals, found.cells * bodies);
    atomicAdd(totals + 1, found.sources * bodies);
  }
};

class TreeForces : public RankForces {
 public:
  explicit TreeForces(const RankWork& work) : RankForces(work) {
    totals_.upload(std::vector<Work>(WorkCounter::kTotals));
  }

  std::vector<int> indices() const override { return decomposition_.indices(); }

  int period() const override { return alone() ? 1 : kHeld; }

  /// Evenly before the first evaluation; before the second, and with each new cube from there on, by the
  /// work of the last walk. In between those that have crossed a border follow: left behind they are so
  /// few that a group of 64 lies all along the border, and its walk takes longer than all others.
  void decompose(OwnBodies& own) override {
    if (alone()) return;
    const bool anew = evaluations_ == 0 || (evaluations_ - 1) % kHeld == 0;
    if (anew) synchronizeDevice();
    const double begin = nowMs();
    all_ = extent_.of(own.bodies, octree_, anew);
    if (!anew) return decomposition_.migrate(all_, octree_, own);
    if (evaluations_ > 0 && own.bodies.size() > 0)
      decomposition_.setWork(octree_, flopOfGroups_.data());
    decomposition_.decompose(all_, octree_, own);
    synchronizeDevice();
    decompositionMs_ = nowMs() - begin;
    ++decompositions_;
  }

  void compute(const DeviceArray<real4>& bodies,
               DeviceArray<real4>& accelerations,
               Timeline* timeline) override {
    const int count = static_cast<int>(bodies.size());
    TimedSpan building(timeline, Timeline::tree, stream());
    if (alone()) all_ = extent_.of(bodies, octree_, true);
    const auto build = [&] {
      PhaseClock clock(false);
      // Again, with more room, if the tree had too many nodes.
      do octree_.build(all_, bodies, work_.options, felt(), clock, room_.spare());
      while (octree_.lackedRoom());
    };
    if (count > 0) build();
    building.end();
    // Boxes go out, cells and bodies come in and are grafted; the tree is built again if there was no room
    // behind it.
    if (!alone())
      came_ = essential_.exchange(count > 0 ? &octree_ : nullptr, room_, timeline, build);
    ++evaluations_;
    const TimedSpan walking(timeline, Timeline::compute, stream());
    walked_ = count > 0;
    if (walked_) walk(accelerations);
    else fillDevice(totals_.data(), 0, WorkCounter::kTotals * sizeof(Work));
  }

  PhaseTimes found(const Communicator& ranks) override {
    const std::vector<Work> totals = totals_.download(0, 2);
    const std::vector<double> works = ranks.allGather(flopOf(totals));
    const double mean = std::accumulate(works.begin(), works.end(), 0.0) / ranks.size();
    const double busiest = *std::max_element(works.begin(), works.end()) / mean;
    const double cellsSent = summed(ranks, came_.cells), bodiesSent = summed(ranks, came_.bodies);
    const double cells = summed(ranks, totals[0]), sources = summed(ranks, totals[1]);
    PhaseTimes times = walk::treeParts(PhaseClock(false),
                                       work_.shares.bodies,
                                       {{"deals", static_cast<double>(decompositions_)},
                                        {"busiest rank", busiest},
                                        {"busiest group", busiestGroup(ranks)},
                                        {"cells sent", cellsSent},
                                        {"bodies sent", bodiesSent}},
                                       cells,
                                       sources,
                                       work_.options.quadrupoles());
    if (decompositions_ > 0) times.ms.push_back({"last deal", decompositionMs_});
    return times;
  }

 private:
  /// Evaluations with one root cube. More of them would share a decomposition, but in as many the errors of the
  /// same cells add up.
  static constexpr int kHeld = 4;

  bool alone() const { return work_.shares.ranks == 1; }

  /// What each body felt; null where cells are not opened by it.
  real* felt() { return work_.options.opening == Opening::felt ? decomposition_.felt() : nullptr; }

  static double flopOf(const std::vector<Work>& totals) {
    return double(walk::kNodeFlop) * totals[0] + double(walk::kLeafFlop) * totals[1];
  }

  /// The sum of what each rank has, on all.
  static double summed(const Communicator& ranks, double own) {
    const std::vector<double> all = ranks.allGather(own);
    return std::accumulate(all.begin(), all.end(), 0.0);
  }

  /// The work of the group with the most, in that of the mean: one warp walks it.
  double busiestGroup(const Communicator& ranks) const {
    const int groups = walked_ ? octree_.state().groups : 0;
    const std::vector<Work> works = flopOfGroups_.download(0, groups);
    const double sum = std::accumulate(works.begin(), works.end(), 0.0);
    const double most = groups == 0 ? 0 : *std::max_element(works.begin(), works.end());
    // One after the other, as on all ranks: C++ leaves the order within an expression open.
    const double greatest = ranks.maximum(most);
    const double allGroups = summed(ranks, groups);
    const double allWork = summed(ranks, sum);
    return greatest * allGroups / allWork;
  }

  /// Over this rank's tree with what came.
  void walk(DeviceArray<real4>& accelerations) {
    const Tree& tree = octree_.tree();
    const int groups = tree::mostGroups(tree.sorted.count, tree.cells.group);
    const WorkCounter counter = {totals_.data(), flopOfGroups_.reserve(groups)};
    fillDevice(counter.totals, 0, WorkCounter::kTotals * sizeof(Work));
    fillDevice(counter.flopOfGroups, 0, groups * sizeof(Work));
    const int remotes = work_.shares.ranks - 1;
    const auto walk = tree::walkOf(tree,
                                   work_.softeningSquared,
                                   accelerations.data(),
                                   octree_.rule(felt()),
                                   counter,
                                   remotes == 0 ? kKeyLevels : depthWith(remotes));
    launchFusedWalk(
        walk, blocksFor(tree.sorted.count, tree.cells.group), work_.options.quadrupoles());
  }

  Decomposition decomposition_{work_};
  TunedTree octree_;
  RemoteRoom room_;
  CommonExtent extent_{work_};
  Extent all_ = {};  ///< of all ranks' bodies
  Essential essential_{work_};
  bool walked_ = false;  ///< in the last evaluation: it has bodies
  int evaluations_ = 0;
  int decompositions_ = 0;
  double decompositionMs_ = 0;  ///< of the last
  RemoteCounts came_ = {};  ///< all that came in the last exchange
  DeviceBuffer<Work> flopOfGroups_{"FLOP of groups"};
  DeviceBuffer<Work> totals_{"the numbers of interactions"};
};

}  // namespace

std::unique_ptr<RankForces> makeTree(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody
