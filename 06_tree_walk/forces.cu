/// \file
/// Step 06, the tree walk: forces in O(N log N). Far cells of an octree act as a whole, by their
/// multipoles; a GPU thread walks the tree for each group of neighbouring bodies, and a block
/// evaluates the lists that the walk leaves.
///
/// Parent: 01_naive. Source: Gaburov, Bedorf and Portegies Zwart, "Gravitational tree-code on
/// graphics processing units: implementation in CUDA". Predicted limiter: the host's part of the
/// work (building, moving), then the lanes of a block that have no body of the group.
#include "evaluation.cuh"
#include "interaction_counts.cuh"
#include "interaction_lists.cuh"
#include "program/convert.hpp"
#include "program/step.hpp"
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
void evaluate(const Evaluation& work, int groups, const Parameters& parameters, PartClock& clock) {
  const unsigned block = parameters["block"];
  const bool quadrupole = parameters["multipole"] == 1;
  launch({unsigned(groups), block, loadedMultipoles(block) * sizeof(Multipole)},
         quadrupole ? nodeForcesKernel<true> : nodeForcesKernel<false>,
         work);
  clock.end("body-node");
  launch({unsigned(groups), block, block * (sizeof(real4) + sizeof(int2))}, leafForcesKernel, work);
  clock.end("body-leaf");
}

/// The paper's pipeline.
/// \param counted  whether to say what was done; it costs a kernel
ForceParts computeTreeForces(const DeviceArray<real4>& bodies,
                             real softeningSquared,
                             const Parameters& parameters,
                             DeviceArray<real4>& accelerations,
                             bool counted) {
  static TreeMemory memory;
  PartClock clock(counted);
  // On the host: the tree, and its arrays of figure 2.
  const std::vector<Double4> positions = converted<Double4>(bodies.download());
  const Octree tree = buildOctree(positions, parameters["leaf"], parameters["group"]);
  const int groups = static_cast<int>(tree.groups.size());
  const TreeLayout layout = layoutOf(tree, positions, parameters.named("theta").number());
  clock.end("build");

  const TreeView view = upload(memory, layout, tree.order, bodies);
  clock.end("upload");

  // Once to count, once to write, as many groups at a time as the lists' memory has room for.
  memory.lists.count(view, groups, stackFor(tree.depth));
  const std::size_t bytes = static_cast<std::size_t>(parameters["list-memory"]) << 20;
  const std::vector<int> cuts = memory.lists.batches(bytes);
  clock.end("first walk");
  if (counted) memory.counts.clear();
  for (std::size_t batch = 0; batch + 1 < cuts.size(); ++batch) {
    const int first = cuts[batch];
    const int size = cuts[batch + 1] - first;
    const Lists lists = memory.lists.write(view, first, cuts[batch + 1]);
    clock.end("second walk");
    evaluate({view,
              lists,
              first,
              memory.sorted.data(),
              memory.order.data(),
              softeningSquared,
              memory.sums.reserve(bodies.size()),
              accelerations.data()},
             size,
             parameters,
             clock);
    if (counted) memory.counts.add(view, lists, first, size);
    clock.restart();
  }
  return counted ? partsOf(tree, memory.counts, parameters, cuts.size() - 1, clock) : ForceParts{};
}

}  // namespace

Parameters stepParameters() {
  return {thetaParameter(),
          wordParameter("multipole", "how a far cell acts", {"quadrupole", "monopole"}),
          sizeParameter("leaf", "a cell of fewer bodies than this is not divided"),
          sizeParameter("group", "fewer bodies than this share a walk"),
          groupBlockParameter(),
          memoryParameter("list-memory", "memory for the interaction lists, in MiB")};
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Parameters& parameters,
                   DeviceArray<real4>& accelerations) {
  computeTreeForces(bodies, softeningSquared, parameters, accelerations, false);
}

ForceParts computeForcesInParts(const DeviceArray<real4>& bodies,
                                real softeningSquared,
                                const Parameters& parameters,
                                DeviceArray<real4>& accelerations) {
  return computeTreeForces(bodies, softeningSquared, parameters, accelerations, true);
}

}  // namespace nbody
