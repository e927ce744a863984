/// \file
/// Step 10, a fast multipole method: cells act on cells. The pull of a far cell on a whole cell of
/// bodies is one polynomial, its local expansion. It is passed from large cells to small ones, and
/// at the end to the bodies.
///
/// Parent: 07_device_tree, whose keys, sort, cells and links it uses. What changed: the walk. There
/// a group of bodies sums the pulls of about 2,600 cells on each body; here about twelve
/// interactions of cells per body replace them. Predicted limiter: latency and idle lanes, because
/// leaves have 10 to 30 bodies.
#include "07_device_tree/tree/links.cuh"
#include "07_device_tree/tuned.cuh"
#include "10_fast_multipole/far.cuh"
#include "10_fast_multipole/multipoles.cuh"
#include "10_fast_multipole/near.cuh"
#include "10_fast_multipole/totals.cuh"
#include "driver/step.hpp"

namespace nbody {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  tree::TreeMemory tree;
  fmm::FieldMemory field;
  DeviceBuffer<tree::CellSums> parts{"extents of parts of the bodies"};
  DeviceBuffer<tree::Spread> spread{"spread of the bodies"};
  DeviceBuffer<unsigned char> scratch{"scratch of the prefix sum"};
  DeviceBuffer<unsigned long long> totals{"the numbers of interactions"};
};

namespace {

using namespace tree;
using namespace fmm;

/// Queues the building of the tree like step 07, but with a root cube that changes in each step.
Tree buildTree(const DeviceArray<real4>& bodies,
               const Options& options,
               Workspace& memory,
               PhaseClock& clock) {
  const int count = static_cast<int>(bodies.size()), block = blockFor(count, options.block);
  const Tree tree = memory.tree.reserve(count, options);
  const auto& [sorted, cells, moments, groups] = tree;
  KeySort& keys = memory.tree.keys();
  const unsigned all = blocksFor(count + 1, block), some = gridStrideBlocks(count, block);
  const Extent extent = {memory.parts.reserve(kMostParts), std::min<int>(kMostParts, some)};

  extentsKernel<<<extent.count, block, block * sizeof(CellSums), stream()>>>(
      bodies.data(), count, bodies.data(), memory.parts.data());
  movingRootKernel<<<1, 32, 0, stream()>>>(extent, cells.state, memory.spread.reserve(1));
  keysKernel<<<some, block, 0, stream()>>>(
      bodies.data(), count, cells.state, keys.keysIn(), keys.placesIn());
  clock.end("keys");
  sortByKey(keys, count);
  clock.end("sort");
  startsKernel<<<all, block, 0, stream()>>>(bodies.data(), sorted, cells);
  exclusiveScan(cells.starts, count + 1, memory.scratch);
  cellsKernel<<<all, block, 0, stream()>>>(sorted, cells);
  linksKernel<<<some, block, 0, stream()>>>(sorted, cells);
  clock.end("cells");
  return tree;
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
  const Tree tree = buildTree(bodies, options, memory, clock);
  const int count = tree.sorted.count, block = blockFor(count, options.block);
  const Expansions f = memory.field.reserveExpansions(
      tree, memory.tree.slots(), memory.spread.data(), options.order);
  const Lists lists = memory.field.reserveLists(count, memory.tree.slots(), options.leaf);
  const Acceptance rule = {options.order, real(options.theta), tolerance};
  const unsigned some = gridStrideBlocks(count, block);
  const unsigned nodeBlocks =
      gridStrideBlocks(1LL * kTeam * (count / options.leaf + 1), kNodeBlock);
  const int levels = count < options.leaf ? 0 : kKeyLevels;  // levels that a node may have
  const unsigned targets = 4 * (count / options.leaf) + 1;  // about as many as there are
  const unsigned warps = std::min(8u * multiprocessors(), blocksFor(targets, kListWarps));

  leafMultipolesKernel<P><<<some, block, 0, stream()>>>(tree, f);
  for (int level = levels - 1; level >= 0; --level)
    nodeMultipolesKernel<P><<<nodeBlocks, kNodeBlock, 0, stream()>>>(tree, f, level);
  clock.end("multipoles");
  fillDevice(lists.state, 0, sizeof(ListState));
  targetsKernel<<<some, block, 0, stream()>>>(tree.cells, lists);
  for (int level = lists.levels - 1; level >= 0; --level)
    listsKernel<<<warps, kListWarps * kLanes, 0, stream()>>>(tree, f, lists, rule, level);
  clock.end("lists");
  farKernel<P><<<4 * warps, kLanes, 0, stream()>>>(tree, f, lists, softeningSquared);
  for (int level = lists.levels - 2; level >= 0; --level)
    downKernel<P><<<some, 64, 0, stream()>>>(tree, f, lists, level);
  clock.end("far");
  sharesKernel<P><<<warps, kNearWarps * kLanes, 0, stream()>>>(tree, f, lists, softeningSquared);
  leavesKernel<P><<<warps, kNearWarps * kLanes, 0, stream()>>>(
      tree, f, lists, softeningSquared, accelerations.data());
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

bool lackedRoom(Workspace& memory) {
  if (!memory.tree.lackedRoom() && !memory.field.lackedRoom()) return false;
  memory.field.repeatFirst();
  return true;
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory) {
  PhaseClock clock(false);
  computeMultipoleForces(bodies, softeningSquared, options, accelerations, memory, clock);
}

PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                 real softeningSquared,
                                 const Options& options,
                                 DeviceArray<real4>& accelerations,
                                 Workspace& memory) {
  PhaseClock clock(true);
  computeMultipoleForces(bodies, softeningSquared, options, accelerations, memory, clock);
  return partsOf(clock, memory.tree, memory.field, memory.totals, options.order);
}

}  // namespace nbody
