/// \file
/// How many interactions the lists stand for, and how full the blocks are that evaluate them.
#pragma once

#include "flop.hpp"
#include "lists/evaluation.cuh"

namespace nbody {

/// Thread t adds up what group first + t has to evaluate: body-node in totals[0], body-body of the
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

/// Thread t walks for group t as walkKernel() does and adds the nodes that it opens to total. Every
/// cell tested ends in a list or is opened, so that they tell what a walk reads.
/// Shared memory: capacity ints for each thread. Barriers: none.
template <class Rule>
static __global__ void countOpenedKernel(TreeView tree,
                                         Rule rule,
                                         int groups,
                                         int capacity,
                                         unsigned long long* total) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const GroupBox group = tree.groups[g];
  const auto ofGroup = rule.ofGroup(g);
  const int* links = reinterpret_cast<const int*>(tree.links);  // eight for each node
  extern __shared__ int stacks[];
  NodeStack stack = {stacks + threadIdx.x, capacity};
  unsigned long long opened = 0;
  stack.push(0);
  while (stack.size > 0) {
    const int node = stack.pop();
    ++opened;
    for (int k = 0; k < 8; ++k) {
      const int link = links[slotOf(node, k)];
      if (link != kNoChild && link != kLeafChild &&
          rule.opens(tree, group, ofGroup, slotOf(node, k)))
        stack.push(link);
    }
  }
  atomicAdd(total, opened);
}

/// Puts countOpenedKernel on the suite's stream.
/// \param rule   when a cell is opened, as of FusedWalk
/// \param depth  of the tree, or more
template <class Rule>
void countOpened(const TreeView& tree,
                 Rule rule,
                 int groups,
                 int depth,
                 unsigned long long* total) {
  const int capacity = stackFor(depth);
  const std::size_t bytes = capacity * kWalkBlock * sizeof(int);
  countOpenedKernel<<<blocksFor(groups, kWalkBlock), kWalkBlock, bytes, stream()>>>(
      tree, rule, groups, capacity, total);
  CUDA_CHECK(cudaGetLastError());
}

/// Share of the places that have a body, where \p places work on a group at a time.
inline double activeShare(const std::vector<BodyGroup>& groups, int places) {
  double bodies = 0;
  double all = 0;
  for (const BodyGroup& group : groups) {
    bodies += group.bodyCount;
    all += static_cast<double>(blocksFor(group.bodyCount, places)) * places;
  }
  return bodies / all;
}

/// The sums of countKernel over batches, and behind them that of countOpenedKernel.
class InteractionCounts {
 public:
  void clear() { fillDevice(totals_.reserve(5), 0, 5 * sizeof(unsigned long long)); }

  void add(const TreeView& tree, const Lists& lists, int first, int groups) {
    countKernel<<<blocksFor(groups, 32), 32, 0, stream()>>>(
        tree, lists, first, groups, totals_.data());
    CUDA_CHECK(cudaGetLastError());
  }

  /// \param depth  of the tree
  void addOpened(const TreeView& tree, int groups, int depth) {
    countOpened(tree, OpensByDistance(), groups, depth, totals_.data() + 4);
  }

  /// To be added to, as countKernel() does.
  unsigned long long* data() { return totals_.data(); }

  /// What a report says of the evaluation.
  /// \param places   threads, or targets of lanes, that work on a group at a time
  /// \param batches  of stored lists; 0: none were stored
  PhaseTimes parts(const PhaseClock& clock,
                   const Octree& tree,
                   bool quadrupoles,
                   int places,
                   int batches) const {
    const std::vector<unsigned long long> totals = totals_.download(0, 5);
    const double groups = static_cast<double>(tree.groups.size());
    std::vector<Metric> facts = factsOf(tree);
    facts.insert(facts.end(),
                 {{"active threads", activeShare(tree.groups, places)},
                  {"batches", static_cast<double>(batches)},
                  {"nodes a group", totals[2] / groups},
                  {"leaves a group", totals[3] / groups},
                  {"opened a group", totals[4] / groups}});
    return treeParts(
        clock, static_cast<double>(tree.order.size()), facts, totals[0], totals[1], quadrupoles);
  }

 private:
  DeviceBuffer<unsigned long long> totals_{"the numbers of interactions"};
};

}  // namespace nbody
