/// \file
/// Step 06, the tree walk: forces in O(N log N). Far cells of an octree act as a whole, by their
/// multipoles. Two ways to walk it: by a thread for each group of neighbouring bodies, which leaves
/// lists that blocks evaluate, or by a warp that sums what it finds.
///
/// Parent: 01_naive. Source: Gaburov, Bedorf and Portegies Zwart, "Gravitational tree-code on
/// graphics processing units: implementation in CUDA". Predicted limiter: the host's part of the
/// work (building, moving), then issue.
#include "lists/evaluation.cuh"
#include "fused/fused_walk.cuh"
#include "lists/interaction_lists.cuh"
#include "bodies/convert.hpp"
#include "driver/step.hpp"
#include "tree_choices.hpp"

namespace nbody {

namespace {

/// Thread k copies the body at place k of the space-filling order. No shared memory, no barrier.
__global__ void sortKernel(const real4* __restrict__ bodies,
                           const int* __restrict__ order,
                           int count,
                           real4* __restrict__ sorted) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) sorted[k] = bodies[order[k]];
}

/// Device memory, kept from one evaluation to the next.
struct TreeMemory {
  DeviceTree tree;
  InteractionLists lists;
  FusedWalker fused;
  InteractionCounts counts;
  DeviceBuffer<int> order{"the space-filling order"};
  DeviceBuffer<real4> sorted{"bodies in the space-filling order"};
  DeviceBuffer<real4> sums{"the pulls of nodes"};
};

/// The tree and the order of the bodies, which are there already, to the device.
TreeView upload(TreeMemory& memory,
                const TreeLayout& layout,
                const std::vector<int>& order,
                const DeviceArray<real4>& bodies) {
  const int count = static_cast<int>(bodies.size());
  memory.tree.upload(layout);
  memory.order.upload(order);
  launch({blocksFor(count, 256), 256},
         sortKernel,
         bodies.data(),
         memory.order.data(),
         count,
         memory.sorted.reserve(count));
  return memory.tree.view();
}

/// Lists 3 and 4 for \p groups groups.
void evaluate(const Evaluation& work, int groups, const Parameters& parameters, PhaseClock& clock) {
  const unsigned block = parameters["block"];
  const bool quadrupole = parameters["multipole"] == 1;
  launch({unsigned(groups), block, loadedMultipoles(block) * sizeof(Multipole)},
         quadrupole ? nodeForcesKernel<true> : nodeForcesKernel<false>,
         work);
  clock.end("body-node");
  launch({unsigned(groups), block, block * (sizeof(real4) + sizeof(int2))}, leafForcesKernel, work);
  clock.end("body-leaf");
}

/// The paper's way: once to count, once to write, as many groups at a time as the lists' memory has
/// room for. Returns the number of batches.
int walkWithLists(TreeMemory& memory,
                  Evaluation work,
                  const Octree& tree,
                  const Parameters& parameters,
                  bool counted,
                  PhaseClock& clock) {
  const int groups = static_cast<int>(tree.groups.size());
  memory.lists.count(work.tree, groups, stackFor(tree.depth));
  const std::size_t bytes = static_cast<std::size_t>(parameters["list-memory"]) << 20;
  const std::vector<int> cuts = memory.lists.batches(bytes);
  clock.end("first walk");
  work.sums = memory.sums.reserve(tree.order.size());
  for (std::size_t batch = 0; batch + 1 < cuts.size(); ++batch) {
    const int size = cuts[batch + 1] - cuts[batch];
    work.firstGroup = cuts[batch];
    work.lists = memory.lists.write(work.tree, cuts[batch], cuts[batch + 1]);
    clock.end("second walk");
    evaluate(work, size, parameters, clock);
    if (counted) memory.counts.add(work.tree, work.lists, cuts[batch], size);
    clock.restart();
  }
  return static_cast<int>(cuts.size()) - 1;
}

/// One walk that evaluates what it finds.
void walkFused(TreeMemory& memory,
               const Evaluation& work,
               const Octree& tree,
               const Parameters& parameters,
               bool counted,
               PhaseClock& clock) {
  memory.fused.run({work.tree,
                    static_cast<int>(tree.groups.size()),
                    work.bodies,
                    work.order,
                    work.softeningSquared,
                    work.accelerations},
                   tree.depth,
                   parameters["multipole"] == 1,
                   counted ? &memory.counts : nullptr);
  memory.fused.requireRoom(tree.depth);
  clock.end("fused walk");
}

/// The tree on the host, the walk and the forces on the device.
/// \param counted  whether to say what was done; it costs a kernel, or atomics
PhaseTimes computeTreeForces(const DeviceArray<real4>& bodies,
                             real softeningSquared,
                             const Parameters& parameters,
                             DeviceArray<real4>& accelerations,
                             bool counted) {
  static TreeMemory memory;
  PhaseClock clock(counted);
  const bool stored = parameters["walk"] == static_cast<int>(Walk::lists);
  const auto grouping = parameters["grouping"] == 1 ? Grouping::runs : Grouping::cells;
  const std::vector<Double4> positions = converted<Double4>(bodies.download());
  const Octree tree = buildOctree(positions, parameters["leaf"], parameters["group"], grouping);
  const TreeLayout layout = layoutOf(tree, positions, parameters.named("theta").number());
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
  if (stored) batches = walkWithLists(memory, work, tree, parameters, counted, clock);
  else walkFused(memory, work, tree, parameters, counted, clock);
  if (counted) memory.counts.addOpened(work.tree, static_cast<int>(tree.groups.size()), tree.depth);
  const int places = stored ? parameters["block"] : kTargets * kLanes;
  return counted ? partsOf(tree, memory.counts, parameters, places, batches, clock) : PhaseTimes{};
}

}  // namespace

Parameters stepParameters() {
  return {walkParameter(),
          thetaParameter(),
          wordParameter("multipole", "how a far cell acts", {"quadrupole", "monopole"}),
          sizeParameter("leaf", "a cell of fewer bodies than this is not divided"),
          sizeParameter("group", "fewer bodies than this share a walk"),
          groupingParameter(),
          groupBlockParameter(),
          memoryParameter("list-memory", "memory for stored interaction lists, in MiB")};
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Parameters& parameters,
                   DeviceArray<real4>& accelerations) {
  computeTreeForces(bodies, softeningSquared, parameters, accelerations, false);
}

PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                real softeningSquared,
                                const Parameters& parameters,
                                DeviceArray<real4>& accelerations) {
  return computeTreeForces(bodies, softeningSquared, parameters, accelerations, true);
}

}  // namespace nbody
