/// \file
/// A warp's walk of the tree for one group. It sums the pulls of cells and bodies as it finds them,
/// so no interaction list is stored.
#pragma once

#include "06_tree_walk/walk/counters.cuh"
#include "06_tree_walk/walk/warp_queues.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kOpened = 4;  // nodes that a warp opens in an iteration: a lane per child

/// Returns the size of a stack of nodes to be opened. An iteration takes the deepest nodes, so
/// those that wait at one level are children of one iteration: at most kLanes.
constexpr int fusedStackFor(int depth) { return kLanes * (depth + 1); }

/// Returns the shared memory of a warp: its queues, and after them a stack of \p capacity nodes.
__host__ __device__ constexpr int warpBytes(int capacity) {
  return sizeof(WarpQueues) + capacity * sizeof(int);
}

/// Arguments of fusedWalkKernel. Arrays of bodies are in the space-filling order.
template <class Rule, class Counter>
struct FusedWalk {
  TreeView tree;
  const real4* bodies;  ///< x, y, z, mass
  const int* order;  ///< number of the body at each place
  real softeningSquared;
  real4* accelerations;  ///< out: x, y, z, 0 of each body
  Rule rule;  ///< when a cell is opened: OpensByDistance, or a class like it
  Counter counter;  ///< a counter: NoCounter, WalkCounter, or a class like them
  int capacity;  ///< size of a warp's stack, a multiple of 4
  const int* groups;  ///< number of groups; in device memory, because step 07 finds it there
  int* nextGroup;  ///< in: 0; the first group that no warp has taken
  int* fullAt;  ///< out: 1 + a group whose stack was full, if there is one
};

/// Walks the tree for \p group and sums the pulls on \p targets. kWarpsPerGroup warps walk alike, and
/// sum the batches of what they find in turn. If the stack is full, the walk finds too little,
/// and walk.fullAt reports the group. Returns what this warp counted.
template <bool kQuadrupole, int kWarpsPerGroup, class Rule, class Counter>
__device__ inline typename Counter::Found walkGroup(const FusedWalk<Rule, Counter>& walk,
                                                    const GroupBox& group,
                                                    int g,
                                                    WarpQueues& queues,
                                                    int* stack,
                                                    LaneTargets& targets) {
  const int lane = threadIdx.x % kLanes;
  const int* links = reinterpret_cast<const int*>(walk.tree.links);  // eight per node
  const auto ofGroup = walk.rule.ofGroup(g);
  typename Counter::Found found;
  const int warp = threadIdx.x / kLanes % kWarpsPerGroup;  // the batches that this warp sums
  int batch = warp;
  const auto sumAccepted = [&](int first, int count) {
    if (batch++ % kWarpsPerGroup != 0) return;
    found.addCells(count);
    const int* accepted = queues.accepted + first;
    sumCells<kQuadrupole>(walk.tree, accepted, count, queues.cells, targets, walk.softeningSquared);
  };
  const auto sumOpened = [&](int first, int count) {
    if (batch++ % kWarpsPerGroup != 0) return;
    const int2* leaves = queues.leaves + first;
    const int bodies =
        sumLeaves(walk.bodies, leaves, count, queues.sources, targets, walk.softeningSquared);
    found.addLeaves(count, bodies);
  };
  int waiting = 1, accepted = 0, leaves = 0;  // sizes of the stack and of the queues
  if (lane == 0) stack[0] = 0;
  __syncwarp();  // the first node is there
  while (waiting > 0) {
    const int opened = min(waiting, kOpened);
    waiting -= opened;
    if (warp == 0) found.addOpened(opened);
    const bool have = lane / 8 < opened;
    const int cell = have ? childIndex(stack[waiting + lane / 8], lane % 8) : 0;
    const int link = have ? links[cell] : kNoChild;
    const bool near = link != kNoChild && walk.rule.opens(walk.tree, group, ofGroup, cell);
    __syncwarp();  // the nodes are read, before their children take their place
    const bool isLeaf = near && link == kLeafChild;
    accepted = append(queues.accepted, accepted, link != kNoChild && !near, cell);
    leaves = append(queues.leaves, leaves, isLeaf, isLeaf ? walk.tree.bodies[cell] : int2{0, 0});
    const bool fits = waiting + kLanes <= walk.capacity;
    if (!fits && lane == 0) atomicMax(walk.fullAt, g + 1);
    waiting = append(stack, waiting, near && !isLeaf && fits, link);
    __syncwarp();  // queues and stack are whole
    if (accepted >= kLanes) sumAccepted(accepted -= kLanes, kLanes);
    if (leaves >= kLanes) sumOpened(leaves -= kLanes, kLanes);
  }
  sumAccepted(0, accepted);
  sumOpened(0, leaves);
  return found;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
