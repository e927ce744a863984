/// \file
/// Step 07, the device tree. One question about each pair of neighbours in the sorted order, "which
/// is the smallest cell that holds both?", gives every leaf and node, and one prefix sum numbers
/// them. The host needs no result in between, so a whole time step is one graph.
///
/// Parent: 06_tree_walk, whose walk it uses. What changed: the device builds the tree. Predicted
/// limiter: issue, in the walk; with few bodies, the latency of the sort and of 40 launches.
#include "07_device_tree/tree/groups.cuh"
#include "07_device_tree/tree/links.cuh"
#include "07_device_tree/tree/moments.cuh"
#include "07_device_tree/tree/walk.cuh"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  TreeMemory tree;
  DeviceBuffer<Bounds> parts{"boxes of parts of the bodies"};
  DeviceBuffer<unsigned char> scratch{"scratch of the prefix sum"};
  DeviceBuffer<unsigned long long> totals{"the numbers of interactions"};
};

namespace {

/// Queues the building of the tree on the suite's stream. A second call with as many bodies neither
/// allocates memory nor waits for the device, so that a graph can capture it.
Tree buildTree(const DeviceArray<real4>& bodies,
               const BuildOptions& options,
               Workspace& memory,
               PhaseClock& clock) {
  const int count = static_cast<int>(bodies.size());
  const Tree tree = memory.tree.reserve(count, options);
  const auto& [sorted, cells, moments, groups] = tree;
  KeySort& keys = memory.tree.keys();
  Bounds* parts = memory.parts.reserve(kMostParts);
  const DistanceRadius radius = {options.theta};
  const int block = blockFor(count, options.block);
  const unsigned all = blocksFor(count + 1, block), some = gridStrideBlocks(count, block);
  const int partCount = std::min<int>(kMostParts, some);
  const unsigned groupBlocks = gridStrideBlocks(32LL * mostGroups(count, options.group), block);
  const unsigned nodeBlocks = gridStrideBlocks(1LL * kTeam * (count / options.leaf), kNodeBlock);
  const int levels = count < options.leaf ? 0 : kKeyLevels;  // levels that a node may have
  const auto done = [&](const char* part) {
    CUDA_CHECK(cudaGetLastError());
    clock.end(part);
  };

  boundsKernel<<<partCount, block, block * sizeof(Bounds), stream()>>>(bodies.data(), count, parts);
  rootKernel<<<1, 32, 0, stream()>>>(parts, partCount, cells.state);
  keysKernel<<<some, block, 0, stream()>>>(
      bodies.data(), count, cells.state, keys.keysIn(), keys.placesIn());
  done("keys");
  sortByKey(keys, count);
  done("sort");
  startsKernel<<<all, block, 0, stream()>>>(bodies.data(), sorted, cells);
  exclusiveScan(cells.starts, count + 1, memory.scratch);
  cellsKernel<<<all, block, 0, stream()>>>(sorted, cells);
  done("cells");
  linksKernel<<<some, block, 0, stream()>>>(sorted, cells);
  done("links");
  groupsKernel<<<groupBlocks, block, 0, stream()>>>(sorted, cells, groups);
  done("groups");
  leafMomentsKernel<<<some, block, 0, stream()>>>(sorted, cells, moments, radius);
  // Deepest first, because a node adds up its children: only this part goes level by level.
  for (int level = levels - 1; level >= 0; --level)
    nodeMomentsKernel<<<nodeBlocks, kNodeBlock, 0, stream()>>>(
        sorted, cells, moments, radius, level);
  done("moments");
  return tree;
}

/// Builds the tree and walks it, as step 06 does.
/// \param counter  class that counts: NoCounter or WalkCounter
template <class Counter>
void computeTreeForces(const DeviceArray<real4>& bodies,
                       real softeningSquared,
                       const Options& options,
                       DeviceArray<real4>& accelerations,
                       Workspace& memory,
                       Counter counter,
                       PhaseClock& clock) {
  const Tree tree = buildTree(bodies, options, memory, clock);
  const auto walk =
      walkOf(tree, softeningSquared, accelerations.data(), walk::OpensByDistance(), counter);
  launchFusedWalk(walk, blocksFor(tree.sorted.count, options.group), options.quadrupoles());
  clock.end("walk");
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

bool lackedMemory(Workspace& memory) { return memory.tree.lackedMemory(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory,
                   PhaseTimes* phases) {
  PhaseClock clock(phases != nullptr);
  if (phases == nullptr)
    return computeTreeForces(
        bodies, softeningSquared, options, accelerations, memory, walk::NoCounter(), clock);
  const walk::WalkCounter counter = walk::clearedCounter(memory.totals);
  computeTreeForces(bodies, softeningSquared, options, accelerations, memory, counter, clock);
  *phases = partsOf(clock, memory.tree, memory.totals, options.quadrupoles());
}

}  // namespace nbody::inline NBODY_PRECISION::tree
