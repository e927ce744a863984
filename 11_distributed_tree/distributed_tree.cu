/// \file
/// Step 11: each rank builds step 07's tree over its bodies, and sends other ranks the cells and bodies
/// that their walks may need. It walks its own tree and the received parts as one.
///
/// An evaluation is decompose(), which gives each rank a range of a Hilbert curve (decomposition.cu), then
/// compute(): build; boxes round each rank's groups (boundary.cuh); cut, what another rank's boxes may
/// open (cut.cuh); graft, hang what came next to this rank's tree (graft.cuh); walk.
/// Predicted limiter: issue, in the walk; with few bodies the latency of the exchanges and of the cut,
/// which has a launch per level.
#include "11_distributed_tree/common_extent.cuh"
#include "11_distributed_tree/decomposition.hpp"
#include "11_distributed_tree/essential_tree.cuh"
#include "11_distributed_tree/walk_work.cuh"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

namespace {

class TreeForces : public RankForces {
 public:
  explicit TreeForces(const RankWork& work) : work_(work) {}

  std::vector<int> indices() const override { return decomposition_.indices(); }

  int period() const override { return alone() ? 1 : kHeld; }

  /// Distributes the bodies evenly before the first evaluation. Before the second one, and then
  /// with each new cube, it uses the work of the last counted walk. In between only bodies that
  /// crossed a border move. If they stayed, a few of them would form a group along the whole
  /// border, whose walk takes longer than all others.
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
      // Repeated with more memory if the tree had too many nodes.
      do
        octree_.build(
            all_, bodies, work_.options, previousAccelerations(), clock, capacity_.spare());
      while (octree_.lackedMemory());
    };
    if (count > 0) build();
    building.end();
    // Sends boxes, and grafts received cells and bodies. Builds the tree again if they did not fit.
    if (!alone())
      received_ = exchange_.exchange(count > 0 ? &octree_ : nullptr, capacity_, timeline, build);
    ++evaluations_;
    const TimedSpan walking(timeline, Timeline::compute, stream());
    // Reports and decompositions need the counts. The first walk opens more cells than later ones.
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
    const double cellsSent = summed(ranks, received_.cells),
                 bodiesSent = summed(ranks, received_.bodies);
    const std::vector<Work> totals = walked_.totals();
    const double cells = summed(ranks, totals[0]), sources = summed(ranks, totals[1]);
    PhaseTimes times = walk::treeParts(PhaseClock(false),
                                       work_.shares.bodies,
                                       {{"decompositions", static_cast<double>(decompositions_)},
                                        {"busiest rank", busiestRank},
                                        {"busiest group", busiestGroup},
                                        {"cells sent", cellsSent},
                                        {"bodies sent", bodiesSent}},
                                       cells,
                                       sources,
                                       work_.options.quadrupoles());
    if (decompositions_ > 0) times.ms.push_back({"last decomposition", decompositionMs_});
    return times;
  }

 private:
  /// Evaluations with one root cube, which all ranks share, so that no cell crosses a border between
  /// ranks. With more of them decompositions would be fewer, but the same cells would have the same
  /// errors in each step, and these would add up.
  static constexpr int kHeld = 4;
  /// One of so many walks counts its work, the last one before a decomposition, because counting
  /// makes a walk 6% slower.
  static constexpr int kCounted = 16;

  bool alone() const { return work_.shares.ranks == 1; }

  /// Returns the length of each body's last acceleration; null if the opening rule does not use it.
  real* previousAccelerations() {
    return work_.options.opening == Opening::relative ? decomposition_.previousAccelerations()
                                                      : nullptr;
  }

  int mostGroups(int bodies) const {
    return bodies == 0 ? 0 : tree::mostGroups(bodies, work_.options.group);
  }

  /// Walks this rank's tree and the received parts.
  template <class Counter>
  void walk(DeviceArray<real4>& accelerations, const Counter& counter) {
    const Tree& tree = octree_.tree();
    const int remotes = work_.shares.ranks - 1;
    const auto walk = tree::walkOf(tree,
                                   work_.softeningSquared,
                                   accelerations.data(),
                                   octree_.rule(previousAccelerations()),
                                   counter,
                                   remotes == 0 ? kKeyLevels : depthWith(remotes));
    launchFusedWalk(
        walk, blocksFor(tree.sorted.count, tree.cells.group), work_.options.quadrupoles());
  }

  RankWork work_;
  Decomposition decomposition_{work_};
  TunedTree octree_;
  RemoteCapacity capacity_;
  CommonExtent extent_{work_};
  Extent all_ = {};  ///< extent of all ranks' bodies
  TreeExchange exchange_{work_};
  WalkWork walked_;
  int evaluations_ = 0;
  int decompositions_ = 0;
  double decompositionMs_ = 0;  ///< time of the last one
  RemoteCounts received_ = {};  ///< everything received in the last exchange
};

}  // namespace

std::unique_ptr<RankForces> makeTreeForces(const RankWork& work) {
  return std::make_unique<TreeForces>(work);
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
