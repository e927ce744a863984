/// \file
/// Lists 1 and 2 of the paper: one thread walks the tree for one group, with its own stack.
/// It walks twice, first to count the cells of its interaction lists, then to write them.
#pragma once

#include "06_tree_walk/walk/cells.cuh"

namespace nbody::walk {

constexpr int kListWalkBlock = 32;

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

/// The faults of a walk. Each is 1 + a group to which it happened, or 0.
struct WalkFaults {
  int fullStack;
  int moreCells;  ///< in the second walk than the first has counted
  int fewerCells;
};

/// The places in the lists where a group's entries continue, and where they end.
struct ListPlaces {
  ListSizes next;  ///< in: the first entries; out: past the last
  ListSizes end;  ///< nothing is written from there on

  /// Appends the cell at \p slot, which acts as a whole.
  template <bool kWrite>
  __device__ void addNode(const Lists& lists, int slot) {
    if (kWrite && next.nodes < end.nodes) lists.nodes[next.nodes] = slot;
    ++next.nodes;
  }
  /// Appends the leaf at \p slot, whose bodies act one by one.
  template <bool kWrite>
  __device__ void addLeaf(const Lists& lists, int slot) {
    if (kWrite && next.leaves < end.leaves) lists.leaves[next.leaves] = slot;
    ++next.leaves;
  }
};

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
  ListPlaces places = {};
  if (kWrite) places = {lists.begins[g] - lists.base, lists.begins[g + 1] - lists.base};
  stack.push(0);
  while (stack.size > 0) {
    const int node = stack.pop();
    const int4 words[2] = {tree.links[node], tree.links[node + 1]};
    const int* links = reinterpret_cast<const int*>(words);  // to the eight children
#pragma unroll
    for (int k = 0; k < 8; ++k) {  // list 2: each child goes into a list or onto the stack
      const int slot = slotOf(node, k);
      const int link = links[k];
      if (link == kNoChild) continue;
      if (!opens(tree, group, slot)) places.addNode<kWrite>(lists, slot);
      else if (link == kLeafChild) places.addLeaf<kWrite>(lists, slot);
      else stack.push(link);
    }
  }
  const ListSizes found = places.next, counted = places.end;
  if (!kWrite) sizes[g] = found;
  else if (found.nodes > counted.nodes || found.leaves > counted.leaves)
    atomicMax(&faults->moreCells, g + 1);
  else if (found.nodes < counted.nodes || found.leaves < counted.leaves)
    atomicMax(&faults->fewerCells, g + 1);
  if (stack.full) atomicMax(&faults->fullStack, g + 1);
}

}  // namespace nbody::walk
