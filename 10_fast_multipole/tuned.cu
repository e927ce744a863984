/// \file
/// Step 10, faster: neighbouring leaves are a target together, so that lanes are full and more
/// bodies share what a target costs. Kernels that leave the GPU partly idle run side by side.
///
/// Predicted limiter: issue slots in the near part, and latency of the sort and the lists.
#include "10_fast_multipole/tuned/far.cuh"
#include "10_fast_multipole/tuned/lists.cuh"
#include "10_fast_multipole/tuned/multipoles.cuh"
#include "10_fast_multipole/tuned/near.cuh"
#include "10_fast_multipole/tuned/totals.cuh"
#include "10_fast_multipole/tuned/tree.cuh"
#include "cuda/event.hpp"
#include "driver/step.hpp"
#include "ranks/streams.hpp"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

/// A stream next to the suite's. A graph captures both.
class SideStream {
 public:
  /// Returns the stream, or the suite's if parts are timed, which then run one after the other.
  cudaStream_t get(const PhaseClock& clock) const { return clock.running() ? stream() : own_; }
  /// Makes work that is put on this stream from now on follow what the suite's stream has.
  void follow() { order(stream(), own_, forked_); }
  /// Makes work that is put on the suite's stream from now on follow what this one has.
  void join() { order(own_, stream(), joined_); }

 private:
  static void order(cudaStream_t first, cudaStream_t then, Event& event) {
    event.record(first);
    waitFor(then, event);
  }

  Stream own_{0};
  Event forked_, joined_;
};

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  tree::TreeMemory tree;
  FieldMemory field;
  SideStream side;
  DeviceBuffer<tree::CellSums> parts{"extents of parts of the bodies"};
  DeviceBuffer<tree::Spread> spread{"spread of the bodies"};
  DeviceBuffer<unsigned> arrived{"blocks that are ready"};
  DeviceBuffer<PackedStarts> starts{"leaves and nodes that start at bodies"};
  DeviceBuffer<unsigned char> scratch{"scratch of the prefix sum"};
  DeviceBuffer<unsigned long long> totals{"the numbers of interactions"};
};

namespace {

using namespace tree;

/// Queues the building of the tree like step 07, with keys of fewer levels.
/// \param units     out: see Expansions
/// \param arrivals  out: 0 for each node
/// \param lists     out: cleared, except whether the tree is crowded
void buildTree(const DeviceArray<real4>& bodies,
               const Tree& tree,
               const Options& options,
               real softening,
               real* units,
               int* arrivals,
               ListState* lists,
               Workspace& memory,
               PhaseClock& clock) {
  const auto& [sorted, cells, moments, groups] = tree;
  const int count = sorted.count, block = blockFor(count, options.block);
  KeySort& keys = memory.tree.keys();
  const unsigned all = blocksFor(count + 1, block), some = gridStrideBlocks(count, block);
  const bool isShort = memory.field.hasShortKeys();
  unsigned* arrived = memory.arrived.data();
  if (arrived == nullptr) fillDevice(arrived = memory.arrived.reserve(1), 0, sizeof(unsigned));
  PackedStarts* starts = memory.starts.reserve(count + 1);

  rootOfBodiesKernel<<<std::min<int>(kMostParts, some),
                       block,
                       block * sizeof(CellSums),
                       stream()>>>(bodies.data(),
                                   count,
                                   memory.parts.reserve(kMostParts),
                                   arrived,
                                   cells.state,
                                   memory.spread.data(),
                                   lists);
  const auto keysKernel = isShort ? shortKeysKernel<kShortLevels> : shortKeysKernel<kKeyLevels>;
  keysKernel<<<some, block, 0, stream()>>>(
      bodies.data(), count, cells.state, keys.keysIn(), keys.placesIn());
  clock.end("keys");
  sortByKey(keys, count, isShort ? 3 * (kKeyLevels - kShortLevels) : 0);
  clock.end("sort");
  boundedStartsKernel<<<blocksFor(count + 1, kStartsBlock), kStartsBlock, 0, stream()>>>(
      bodies.data(), sorted, cells.leaf, starts, &lists->crowded);
  tuned::exclusiveScan(starts, count + 1, memory.scratch);
  packedCellsKernel<<<all, block, 0, stream()>>>(sorted, cells, starts, arrivals);
  teamLinksKernel<<<gridStrideBlocks(kTeam * (count / 8 + 1LL), block), block, 0, stream()>>>(
      sorted, cells, starts, softening, units);
  clock.end("cells");
}

constexpr real kRough = 10;  ///< factor on the tolerance of a rough evaluation

template <int P>
void computeField(const DeviceArray<real4>& bodies,
                  real softeningSquared,
                  const Options& options,
                  real tolerance,
                  DeviceArray<real4>& accelerations,
                  Workspace& memory,
                  PhaseClock& clock) {
  const int count = static_cast<int>(bodies.size()), block = blockFor(count, options.block);
  const Tree tree = memory.tree.reserve(count, options);
  const std::size_t cells = memory.tree.cellCapacity();
  const Expansions f =
      memory.field.reserveExpansions(tree, cells, memory.spread.reserve(1), options.order);
  const Targets targets = memory.field.reserveTargets(count, cells, options);
  const Lists lists = memory.field.reserveLists(count, options.bundle);
  const int nodes = count / 16 + 1;  // more than there usually are
  int* arrivals = memory.field.reserveArrivals(tree.cells.nodeCapacity);
  const Acceptance rule = {options.order, real(options.theta), tolerance, softeningSquared};
  constexpr int kBlock = 128;
  const unsigned teams = gridStrideBlocks(kTeam * (count / options.leaf + 1LL), kNodeBlock);
  const unsigned ofNodes = gridStrideBlocks(nodes, kBlock);
  const unsigned ofLists = std::min<unsigned>(kListBlocks * multiprocessors(),
                                              blocksFor(count / options.leaf + 1, kListWarps));
  const unsigned ofFar = kFarBlocks<P> * multiprocessors();
  const unsigned ofNear = kNearBlocks * multiprocessors();
  const cudaStream_t side = memory.side.get(clock);

  buildTree(bodies,
            tree,
            options,
            std::sqrt(softeningSquared),
            f.units,
            arrivals,
            lists.state,
            memory,
            clock);

  memory.side.follow();
  bundlesKernel<<<gridStrideBlocks(kTeam * (nodes + 1LL), kBlock), kBlock, 0, side>>>(
      tree.cells, f.units, targets, lists.state);
  bundlePropertiesKernel<<<gridStrideBlocks(kTeam * (nodes + 1LL), kBlock), kBlock, 0, side>>>(
      tree, f, targets, lists.state);
  clock.end("bundles");
  p2mKernel<P><<<gridStrideBlocks(count, block), block, 0, stream()>>>(tree, f);
  m2mKernel<P><<<teams, kNodeBlock, 0, stream()>>>(tree, f, arrivals);
  memory.side.join();
  nodeTargetsKernel<<<ofNodes, kBlock, 0, stream()>>>(tree, f, targets, lists.state);
  clock.end("multipoles");
  // While a level's far sources are summed, the lists of the next level are made.
  for (int level = targets.levels - 1; level >= 0; --level) {
    listsKernel<<<ofLists, kListWarps * kLanes, 0, stream()>>>(f, targets, lists, rule, level);
    clock.end("lists");
    memory.side.follow();
    m2lKernel<P><<<ofFar, kLanes, 0, side>>>(f, targets, lists, softeningSquared, level);
    clock.end("far");
  }
  segmentsKernel<P>
      <<<ofNear, kNearWarps * kLanes, 0, stream()>>>(tree, f, targets, lists, softeningSquared);
  memory.side.join();
  nearKernel<P><<<ofNear, kNearWarps * kLanes, 0, stream()>>>(
      tree, f, targets, lists, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
  clock.end("near");
}

/// Computes the forces. Before the first evaluation the bodies' accelerations are unknown, so a
/// rough evaluation, which uses M / R^2 instead, precedes it.
void computeMultipoleForces(const DeviceArray<real4>& bodies,
                            real softeningSquared,
                            const Options& options,
                            DeviceArray<real4>& accelerations,
                            Workspace& memory,
                            PhaseClock& clock) {
  Orders::select(options.order, [&](auto p) {
    const auto compute = [&](real tolerance, PhaseClock& phases) {
      computeField<p>(bodies, softeningSquared, options, tolerance, accelerations, memory, phases);
    };
    PhaseClock none(false);
    if (memory.field.resetAccelerations(static_cast<int>(bodies.size())))
      compute(kRough * options.tolerance, none);
    compute(options.tolerance, clock);
  });
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void forget(Workspace& memory) { memory.field.forget(); }

bool lackedMemory(Workspace& memory) {
  const bool ofTree = memory.tree.lackedMemory(), ofField = memory.field.lackedMemory();
  if (!ofTree && !ofField) return false;
  memory.field.repeatFirst();
  return true;
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory,
                   PhaseTimes* phases) {
  PhaseClock clock(phases != nullptr);
  computeMultipoleForces(bodies, softeningSquared, options, accelerations, memory, clock);
  if (phases != nullptr)
    *phases = partsOf(clock, memory.tree, memory.field, memory.totals, options.order);
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
