/// \file
/// Rung 4, tree: each rank builds step 07's tree over its bodies, and sends other ranks the cells
/// and bodies that their walks can need. It walks its own tree and what has come as one.
///
/// Change: not all bodies travel, and not all pairs are summed. Predicted limiter: issue, in the walk; with
/// few bodies the latency of the exchanges and of the cut, which has a launch for each level.
#include "08_many_gpus/exchanges.hpp"
#include "08_many_gpus/let/common_extent.cuh"
#include "08_many_gpus/let/decomposition.hpp"
#include "08_many_gpus/let/essential.cuh"
#include "08_many_gpus/let/walk_work.cuh"

namespace nbody {

namespace {

class TreeForces : public RankForces {
 public:
  using RankForces::RankForces;

  std::vector<int> indices() const override { return decomposition_.indices(); }

  int period() const override { return alone() ? 1 : kHeld; }

  /// Evenly before the first evaluation; before the second, and with each new cube from there on, by the
  /// work of the last walk that was counted. In between those that have crossed a border follow: left behind they are so
  /// few that a group of 64 lies all along the border, and its walk takes longer than all others.
  void decompose(OwnBodies& own) override {
    if (alone()) return;
    const bool anew = evaluations_ == 0 || (evaluations_ - 1) % kHeld == 0;
    if (anew) synchronizeDevice();
    const double begin = nowMs();
    all_ = extent_.of(own.bodies, octree_, anew);
    if (!anew) return decomposition_.migrate(all_, octree_, own);
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
    // A report wants the counts, and decompositions go by them. The first walk opens more cells than later ones.
    const bool counted =
        timeline != nullptr || evaluations_ == 1 || evaluations_ % kCounted == 1 + kHeld;
    const WorkCounter counter = counted ? walked_.begin(mostGroups(count)) : WorkCounter();
    if (count == 0) return;
    if (!counted) return walk(accelerations, walk::NoCounter());
    walk(accelerations, counter);
    if (!alone()) decomposition_.setWork(octree_, counter.flopOfGroups);
  }

  PhaseTimes found(const Communicator& ranks) override {
    const double busiestRank = walked_.busiestRank(ranks);
    const double busiestGroup = walked_.busiestGroup(ranks);
    const double cellsSent = summed(ranks, came_.cells), bodiesSent = summed(ranks, came_.bodies);
    const std::vector<Work> totals = walked_.totals();
    const double cells = summed(ranks, totals[0]), sources = summed(ranks, totals[1]);
    PhaseTimes times = walk::treeParts(PhaseClock(false),
                                       work_.shares.bodies,
                                       {{"deals", static_cast<double>(decompositions_)},
                                        {"busiest rank", busiestRank},
                                        {"busiest group", busiestGroup},
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
  /// One of so many walks counts its work, because one that does takes 6% longer.
  static constexpr int kCounted = 16;

  bool alone() const { return work_.shares.ranks == 1; }

  /// Lengths of each body's last acceleration; null if cells are not opened by it.
  real* felt() { return work_.options.opening == Opening::felt ? decomposition_.felt() : nullptr; }

  int mostGroups(int bodies) const {
    return bodies == 0 ? 0 : tree::mostGroups(bodies, work_.options.group);
  }

  /// Over this rank's tree with what came.
  template <class Counter>
  void walk(DeviceArray<real4>& accelerations, const Counter& counter) {
    const Tree& tree = octree_.tree();
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
  WalkWork walked_;
  int evaluations_ = 0;
  int decompositions_ = 0;
  double decompositionMs_ = 0;  ///< of the last
  RemoteCounts came_ = {};  ///< all that came in the last exchange
};

}  // namespace

std::unique_ptr<RankForces> makeTree(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody
