/// \file
/// Step 06, the tree walk: forces in O(N log N). Far cells of an octree act as a whole, by their
/// multipoles. Two ways to walk it: by a thread for each group of neighbouring bodies, which leaves
/// lists that blocks evaluate, or by a warp that sums what it finds.
///
/// Parent: 01_naive. Source: Gaburov, Bedorf and Portegies Zwart, "Gravitational tree-code on
/// graphics processing units: implementation in CUDA". Predicted limiter: the host's part of the
/// work (building, moving), then issue.
#include "bodies/vectors.hpp"
#include "driver/step.hpp"
#include "fused/fused_walk.cuh"
#include "lists/evaluation.cuh"
#include "lists/interaction_lists.cuh"

namespace nbody {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  DeviceTree tree;
  InteractionLists lists;
  FusedWalker fused;
  InteractionCounts counts;
  DeviceBuffer<int> order{"the space-filling order"};
  DeviceBuffer<real4> sorted{"bodies in the space-filling order"};
  DeviceBuffer<real4> sums{"the pulls of nodes"};
};

namespace {

/// Thread k copies the body at place k of the space-filling order. No shared memory, no barrier.
__global__ void sortKernel(const real4* __restrict__ bodies,
                           const int* __restrict__ order,
                           int count,
                           real4* __restrict__ sorted) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) sorted[k] = bodies[order[k]];
}

/// The tree and the order of the bodies, which are there already, to the device.
TreeView upload(Workspace& memory,
                const TreeLayout& layout,
                const std::vector<int>& order,
                const DeviceArray<real4>& bodies) {
  const int count = static_cast<int>(bodies.size());
  memory.tree.upload(layout);
  memory.order.upload(order);
  sortKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      bodies.data(), memory.order.data(), count, memory.sorted.reserve(count));
  CUDA_CHECK(cudaGetLastError());
  return memory.tree.view();
}

/// Lists 3 and 4 for \p groups groups.
void evaluate(const Evaluation& work, int groups, const Options& options, PhaseClock& clock) {
  const unsigned block = options.block;
  const auto nodeForces =
      options.quadrupoles() ? &nodeForcesKernel<true> : &nodeForcesKernel<false>;
  const std::size_t multipoleBytes = loadedMultipoles(block) * sizeof(Multipole);
  nodeForces<<<groups, block, multipoleBytes, stream()>>>(work);
  CUDA_CHECK(cudaGetLastError());
  clock.end("body-node");
  const std::size_t sourceBytes = block * (sizeof(real4) + sizeof(int2));
  leafForcesKernel<<<groups, block, sourceBytes, stream()>>>(work);
  CUDA_CHECK(cudaGetLastError());
  clock.end("body-leaf");
}

/// The paper's way: once to count, once to write, as many groups at a time as the lists' memory has
/// room for. Returns the number of batches.
int walkWithLists(Workspace& memory,
                  Evaluation work,
                  const Octree& tree,
                  const Options& options,
                  bool counted,
                  PhaseClock& clock) {
  const int groups = static_cast<int>(tree.groups.size());
  memory.lists.count(work.tree, groups, stackFor(tree.depth));
  const std::size_t bytes = static_cast<std::size_t>(options.listMemory) << 20;
  const std::vector<int> cuts = memory.lists.batches(bytes);
  clock.end("first walk");
  work.sums = memory.sums.reserve(tree.order.size());
  for (std::size_t batch = 0; batch + 1 < cuts.size(); ++batch) {
    const int size = cuts[batch + 1] - cuts[batch];
    work.firstGroup = cuts[batch];
    work.lists = memory.lists.write(work.tree, cuts[batch], cuts[batch + 1]);
    clock.end("second walk");
    evaluate(work, size, options, clock);
    if (counted) memory.counts.add(work.tree, work.lists, cuts[batch], size);
    clock.restart();
  }
  return static_cast<int>(cuts.size()) - 1;
}

/// One walk that evaluates what it finds.
void walkFused(Workspace& memory,
               const Evaluation& work,
               const Octree& tree,
               const Options& options,
               bool counted,
               PhaseClock& clock) {
  memory.fused.run({work.tree, work.bodies, work.order, work.softeningSquared, work.accelerations},
                   static_cast<int>(tree.groups.size()),
                   tree.depth,
                   options.quadrupoles(),
                   counted ? &memory.counts : nullptr);
  clock.end("fused walk");
}

/// The tree on the host, the walk and the forces on the device.
/// \param counted  whether to say what was done; it costs a kernel, or atomics
PhaseTimes computeTreeForces(const DeviceArray<real4>& bodies,
                             real softeningSquared,
                             const Options& options,
                             DeviceArray<real4>& accelerations,
                             Workspace& memory,
                             bool counted) {
  PhaseClock clock(counted);
  const bool stored = options.walk == Walk::lists;
  const std::vector<Double4> positions = converted<Double4>(bodies.download());
  const Octree tree = buildOctree(positions, options.leaf, options.group, *options.grouping);
  const TreeLayout layout = layoutOf(tree, options.theta);
  clock.end("build");

  Evaluation work = {};
  work.tree = upload(memory, layout, tree.order, bodies);
  work.bodies = memory.sorted.data();
  work.order = memory.order.data();
  work.softeningSquared = softeningSquared;
  work.accelerations = accelerations.data();
  clock.end("upload");

  if (counted) memory.counts.clear();
  clock.restart();
  int batches = 0;
  if (stored) batches = walkWithLists(memory, work, tree, options, counted, clock);
  else walkFused(memory, work, tree, options, counted, clock);
  if (!counted) return {};
  memory.counts.addOpened(work.tree, static_cast<int>(tree.groups.size()), tree.depth);
  const int places = stored ? options.block : kTargets * kLanes;
  return memory.counts.parts(clock, tree, options.quadrupoles(), places, batches);
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  computeTreeForces(bodies, softeningSquared, options, accelerations, workspace, false);
}

PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                 real softeningSquared,
                                 const Options& options,
                                 DeviceArray<real4>& accelerations,
                                 Workspace& workspace) {
  return computeTreeForces(bodies, softeningSquared, options, accelerations, workspace, true);
}

}  // namespace nbody
