/// \file
/// Counts the interactions of the lists, and how full the blocks are that evaluate them.
#pragma once

#include "06_tree_walk/flop.hpp"
#include "06_tree_walk/paper/evaluation.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

/// Thread t counts what group first + t has to evaluate: body-node in totals[0], body-body of
/// leaves in totals[1], list entries in totals[2] (nodes) and totals[3] (leaves).
static __global__ void countKernel(TreeView tree,
                                   Lists lists,
                                   int first,
                                   int groups,
                                   unsigned long long* totals) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= groups) return;
  const ListSizes begin = lists.begins[first + t];
  const ListSizes end = lists.begins[first + t + 1];
  const long long bodies = tree.groups[first + t].bodyCount;
  long long sources = 0;
  for (long long k = begin.leaves; k < end.leaves; ++k)
    sources += tree.bodies[lists.leaves[k - lists.base.leaves]].y;
  atomicAdd(totals, (unsigned long long)(bodies * (end.nodes - begin.nodes)));
  atomicAdd(totals + 1, (unsigned long long)(bodies * sources));
  atomicAdd(totals + 2, (unsigned long long)(end.nodes - begin.nodes));
  atomicAdd(totals + 3, (unsigned long long)(end.leaves - begin.leaves));
}

/// Thread t walks for group t like walkKernel(), and adds the number of opened nodes to total.
/// Every tested cell is opened or ends in a list, so the numbers tell what a walk reads. Shared
/// memory: capacity ints per thread. Barriers: none.
static __global__ void countOpenedKernel(TreeView tree,
                                         int groups,
                                         int capacity,
                                         unsigned long long* total) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const GroupBox group = tree.groups[g];
  const int* links = reinterpret_cast<const int*>(tree.links);  // eight per node
  extern __shared__ int stacks[];
  NodeStack stack = {stacks + threadIdx.x, capacity};
  unsigned long long opened = 0;
  stack.push(0);
  while (stack.size > 0) {
    const int node = stack.pop();
    ++opened;
    for (int k = 0; k < 8; ++k) {
      const int link = links[childIndex(node, k)];
      if (link != kNoChild && link != kLeafChild && opens(tree, group, childIndex(node, k)))
        stack.push(link);
    }
  }
  atomicAdd(total, opened);
}

/// Sums of countKernel over all batches, followed by the sum of countOpenedKernel.
class InteractionCounts {
 public:
  void clear() { fillDevice(totals_.reserve(5), 0, 5 * sizeof(unsigned long long)); }

  void add(const TreeView& tree, const Lists& lists, int first, int groups) {
    countKernel<<<blocksFor(groups, 32), 32, 0, stream()>>>(
        tree, lists, first, groups, totals_.data());
    CUDA_CHECK(cudaGetLastError());
  }

  /// \param depth  depth of the tree
  void addOpened(const TreeView& tree, int groups, int depth) {
    const int capacity = stackFor(depth);
    const unsigned blocks = blocksFor(groups, kListWalkBlock);
    const std::size_t bytes = capacity * kListWalkBlock * sizeof(int);
    countOpenedKernel<<<blocks, kListWalkBlock, bytes, stream()>>>(
        tree, groups, capacity, totals_.data() + 4);
    CUDA_CHECK(cudaGetLastError());
  }

  /// Returns the report of the evaluation.
  /// \param places   threads that work on a group at a time
  /// \param batches  batches of stored lists
  PhaseTimes parts(const PhaseClock& clock,
                   const Octree& tree,
                   bool quadrupoles,
                   int places,
                   int batches) const {
    std::vector<Metric> metrics = metricsOf(tree);
    metrics.insert(
        metrics.end(),
        {{"active threads", activeShare(tree, places)}, {"batches", static_cast<double>(batches)}});
    const std::vector<unsigned long long> totals = totals_.download(0, 5);
    return walkParts(clock, tree.order.size(), metrics, tree.groups.size(), totals, quadrupoles);
  }

 private:
  DeviceBuffer<unsigned long long> totals_{"the numbers of interactions"};
};

}  // namespace nbody::inline NBODY_PRECISION::walk
