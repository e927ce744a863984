/// \file
/// Lists 1 and 2 of the paper: one thread walks the tree for one group, with a stack of its own.
/// It walks twice, first to count the cells of its interaction lists, then to write them.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda/cuda.hpp"
#include "host/tree_layout.hpp"
#include "opening.cuh"

namespace nbody {

constexpr int kWalkBlock = 32;

/// Lengths of a group's two lists; summed up, where they begin.
struct ListSizes {
  long long nodes;
  long long leaves;

  __host__ __device__ ListSizes operator+(const ListSizes& other) const {
    return {nodes + other.nodes, leaves + other.leaves};
  }
  __host__ __device__ ListSizes operator-(const ListSizes& other) const {
    return {nodes - other.nodes, leaves - other.leaves};
  }
};

/// The interaction lists of some groups, one after the other: slots of cells.
struct Lists {
  const ListSizes* begins;  ///< of every group, and the end of the last
  ListSizes base;  ///< where those of the first of these groups begin
  int* nodes;  ///< cells whose multipoles act on the group
  int* leaves;  ///< leaves whose bodies do
};

/// A stack that keeps every node which a thread still has to open holds at most this: each level
/// puts eight in the place of one.
constexpr int stackFor(int depth) { return 7 * depth + 1; }

/// What is thrown where a walk would have to leave a node out.
inline std::runtime_error fullStack(int group, int capacity) {
  return std::runtime_error("the walk of group " + std::to_string(group) +
                            " needs a stack of more than " + std::to_string(capacity) +
                            " nodes; a larger --leaf makes the tree less deep");
}

/// The nodes that a thread still has to open: in shared memory, those of a block's threads side by
/// side, so that lanes meet in different banks.
struct NodeStack {
  int* nodes;  ///< this thread's first
  int capacity;
  int size = 0;
  bool full = false;  ///< a node was left out

  __device__ void push(int node) {
    if (size == capacity) full = true;
    else nodes[size++ * blockDim.x] = node;
  }
  __device__ int pop() { return nodes[--size * blockDim.x]; }
};

/// What a walk ran into: in each, 1 + a group that it happened to, or 0.
struct WalkFaults {
  int fullStack;
  int moreCells;  ///< in the second walk than the first has counted
  int fewerCells;
};

/// Whether the cell at \p slot is too near to the group to act as a whole.
__device__ inline bool opens(const TreeView& tree, const GroupBox& group, int slot) {
  const real4 cell = tree.centres[slot];  // by value: one load
  return opens(group, cell);
}

/// When a group opens a cell, for walks that serve other steps too: the same for all groups.
struct OpensByDistance {
  /// What the rule has to know of group \p g: nothing.
  __device__ int ofGroup(int) const { return 0; }
  __device__ bool opens(const TreeView& tree, const GroupBox& group, int, int slot) const {
    return nbody::opens(tree, group, slot);
  }
};

/// List 2: child \p k of the node whose first word is \p node goes to the stack or into a list.
/// \param lists  written where kWrite
/// \param place  in: where the next cell goes; out: past it
/// \param end    of the group's share of the lists: nothing is written from there on
template <bool kWrite>
__device__ inline void testCell(const TreeView& tree,
                                const GroupBox& group,
                                int node,
                                int k,
                                int link,
                                NodeStack& stack,
                                const Lists& lists,
                                ListSizes& place,
                                const ListSizes& end) {
  if (link == kNoChild) return;
  const int slot = slotOf(node, k);
  if (!opens(tree, group, slot)) {
    if (kWrite && place.nodes < end.nodes) lists.nodes[place.nodes] = slot;
    ++place.nodes;
  } else if (link == kLeafChild) {
    if (kWrite && place.leaves < end.leaves) lists.leaves[place.leaves] = slot;
    ++place.leaves;
  } else {
    stack.push(link);
  }
}

/// List 1: thread t walks for group first + t.
/// \param last      past the last group
/// \param capacity  of a thread's stack
/// \param sizes     out, unless kWrite: lengths of the lists of each group
/// \param lists     out, where kWrite
/// \param faults    out: set where the stack was full, or the lists are not as long as counted
/// Shared memory: capacity ints for each thread. Barriers: none.
template <bool kWrite>
__global__ void walkKernel(TreeView tree,
                           int first,
                           int last,
                           int capacity,
                           ListSizes* sizes,
                           Lists lists,
                           WalkFaults* faults) {
  const int g = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= last) return;
  const GroupBox group = tree.groups[g];
  extern __shared__ int stacks[];
  NodeStack stack = {stacks + threadIdx.x, capacity};
  const ListSizes begin = kWrite ? lists.begins[g] - lists.base : ListSizes{0, 0};
  const ListSizes end = kWrite ? lists.begins[g + 1] - lists.base : begin;
  ListSizes place = begin;
  stack.push(0);
  while (stack.size > 0) {
    const int node = stack.pop();
    const int4 one = tree.links[node];
    const int4 two = tree.links[node + 1];
    testCell<kWrite>(tree, group, node, 0, one.x, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 1, one.y, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 2, one.z, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 3, one.w, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 4, two.x, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 5, two.y, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 6, two.z, stack, lists, place, end);
    testCell<kWrite>(tree, group, node, 7, two.w, stack, lists, place, end);
  }
  if (!kWrite) sizes[g] = place;
  else if (place.nodes > end.nodes || place.leaves > end.leaves)
    atomicMax(&faults->moreCells, g + 1);
  else if (place.nodes < end.nodes || place.leaves < end.leaves)
    atomicMax(&faults->fewerCells, g + 1);
  if (stack.full) atomicMax(&faults->fullStack, g + 1);
}

}  // namespace nbody
