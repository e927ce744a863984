/// \file
/// Lists 1 and 2 of the paper: one thread walks the tree for one group, with its own stack. It
/// walks twice: first it counts the cells of its interaction lists, then it writes them.
#pragma once

#include "06_tree_walk/walk/cells.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kListWalkBlock = 32;

/// Lengths of a group's two lists, or, after the prefix sum, where they begin.
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

/// The interaction lists of some groups, in a row. Entries are indices of cells.
struct Lists {
  const ListSizes* begins;  ///< the starts of each group's lists, and the end of the last
  ListSizes base;  ///< the starts of the first group's lists
  int* nodes;  ///< cells whose multipoles act on the group
  int* leaves;  ///< leaves whose bodies act on the group
};

/// Returns the largest size of a stack of nodes still to be opened: each level replaces one node by
/// eight children.
constexpr int stackFor(int depth) { return 7 * depth + 1; }

/// Nodes that a thread still has to open. The stacks of a block are interleaved in shared memory,
/// so that lanes use different banks.
struct NodeStack {
  int* nodes;  ///< first element of this thread
  int capacity;
  int size = 0;
  bool full = false;  ///< true: a node was left out

  __device__ void push(int node) {
    if (size == capacity) full = true;
    else nodes[size++ * blockDim.x] = node;
  }
  __device__ int pop() { return nodes[--size * blockDim.x]; }
};

/// Faults of a walk. Each is 0, or 1 + a group in which it happened.
struct WalkFaults {
  int fullStack;
  int moreCells;  ///< the second walk found more cells than the first
  int fewerCells;
};

/// Places in the lists where a group's entries continue and end.
struct ListPlaces {
  ListSizes next;  ///< in: the first entries; out: past the last ones
  ListSizes end;  ///< nothing is written from here on

  /// Appends \p cell, which acts as a whole.
  template <bool kWrite>
  __device__ void addNode(const Lists& lists, int cell) {
    if (kWrite && next.nodes < end.nodes) lists.nodes[next.nodes] = cell;
    ++next.nodes;
  }
  /// Appends the leaf \p cell, whose bodies act one by one.
  template <bool kWrite>
  __device__ void addLeaf(const Lists& lists, int cell) {
    if (kWrite && next.leaves < end.leaves) lists.leaves[next.leaves] = cell;
    ++next.leaves;
  }
};

/// List 1: thread t walks for group first + t.
/// \param last      past the last group
/// \param capacity  size of a thread's stack
/// \param sizes     out if not kWrite: lengths of the lists of each group
/// \param lists     out if kWrite
/// \param faults    out: a full stack, or lists that are not as long as counted
/// Shared memory: capacity ints per thread. Barriers: none.
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
      const int cell = childIndex(node, k);
      const int link = links[k];
      if (link == kNoChild) continue;
      if (!opens(tree, group, cell)) places.addNode<kWrite>(lists, cell);
      else if (link == kLeafChild) places.addLeaf<kWrite>(lists, cell);
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

}  // namespace nbody::inline NBODY_PRECISION::walk
