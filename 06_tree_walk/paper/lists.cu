/// \file
/// 06_lists, the paper's walk: a thread walks the tree for a group of bodies and writes interaction
/// lists, which blocks evaluate. It walks twice, because it must know the lists' lengths first.
///
/// Source: Gaburov, Bedorf and Portegies Zwart, "Gravitational tree-code on graphics processing
/// units: implementation in CUDA". Step 06 differs only in what follows the upload.
#include "06_tree_walk/paper/evaluation.cuh"
#include "06_tree_walk/paper/interaction_counts.cuh"
#include "06_tree_walk/paper/interaction_lists.cuh"
#include "06_tree_walk/walk/sort.cuh"
#include "bodies/vectors.hpp"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::walk::lists {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  DeviceTree tree;
  InteractionLists lists;
  InteractionCounts counts;
  DeviceBuffer<int> order{"the space-filling order"};
  DeviceBuffer<real4> sorted{"bodies in the space-filling order"};
  DeviceBuffer<real4> sums{"the pulls of nodes"};
};

namespace {

/// Evaluates the lists of \p groups groups: lists 3 and 4 of the paper.
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

/// Walks once to count and once to write, for as many groups at a time as fit the lists' memory.
/// Returns the number of batches.
int walkAndEvaluate(Workspace& memory,
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

/// Builds the tree on the host, and walks it on the device.
/// \param counted  whether to count interactions for the report, which needs another kernel
PhaseTimes computeTreeForces(const DeviceArray<real4>& bodies,
                             real softeningSquared,
                             const Options& options,
                             DeviceArray<real4>& accelerations,
                             Workspace& memory,
                             bool counted) {
  PhaseClock clock(counted);
  const int count = static_cast<int>(bodies.size());
  const std::vector<Double4> positions = converted<Double4>(bodies.download());
  const Octree tree = buildOctree(positions, options.leaf, options.group, options.grouping);
  const TreeLayout layout = layoutOf(tree, options.theta);
  clock.end("build");

  memory.tree.upload(layout);
  memory.order.upload(tree.order);
  sortKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      bodies.data(), memory.order.data(), count, memory.sorted.reserve(count));
  CUDA_CHECK(cudaGetLastError());
  clock.end("upload");

  Evaluation work = {};
  work.tree = memory.tree.view();
  work.bodies = memory.sorted.data();
  work.order = memory.order.data();
  work.softeningSquared = softeningSquared;
  work.accelerations = accelerations.data();
  if (counted) memory.counts.clear();
  clock.restart();
  const int batches = walkAndEvaluate(memory, work, tree, options, counted, clock);
  if (!counted) return {};
  memory.counts.addOpened(work.tree, static_cast<int>(tree.groups.size()), tree.depth);
  return memory.counts.parts(clock, tree, options.quadrupoles(), options.block, batches);
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory,
                   PhaseTimes* phases) {
  const bool counted = phases != nullptr;
  const PhaseTimes found =
      computeTreeForces(bodies, softeningSquared, options, accelerations, memory, counted);
  if (counted) *phases = found;
}

}  // namespace nbody::inline NBODY_PRECISION::walk::lists
