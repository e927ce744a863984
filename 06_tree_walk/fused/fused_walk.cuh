/// \file
/// The fused walk: a warp walks the tree for a group and sums the pulls of cells and bodies as it
/// finds them, so that no interaction list is ever stored.
#pragma once

#include "cuda/multiprocessors.hpp"
#include "fused/warp_queues.cuh"
#include "interaction_counts.cuh"

namespace nbody {

constexpr int kOpened = 4;  // nodes that a warp opens in an iteration: a lane for each child
constexpr int kFusedBlock = 128;

/// Nodes still to be opened. An iteration takes the deepest first, so the waiting nodes of a level
/// are children of one iteration: at most kLanes.
constexpr int fusedStackFor(int depth) { return kLanes * (depth + 1); }

/// Shared memory of a warp: its queues, and a stack of \p capacity nodes behind them.
__host__ __device__ constexpr int warpBytes(int capacity) {
  return sizeof(WarpQueues) + capacity * sizeof(int);
}

/// What fusedWalkKernel needs. Arrays of bodies are in the space-filling order.
struct FusedWalk {
  TreeView tree;
  int groups;
  const real4* bodies;  ///< x, y, z, mass
  const int* order;  ///< of the body at each place
  real softeningSquared;
  real4* accelerations;  ///< out: x, y, z, 0 of each body
  int capacity = 0;  ///< of a warp's stack, a multiple of 4
  int* nextGroup = nullptr;  ///< in: 0; which no warp has taken
  int* fullAt = nullptr;  ///< out: 1 + a group whose stack was full, where there is one
  unsigned long long* totals = nullptr;  ///< out: as of countKernel(); null: not counted
};

/// What a walk found.
struct Found {
  unsigned long long cells;
  unsigned long long leaves;
  unsigned long long sources;  ///< bodies of the leaves
};

/// Walks the tree for \p group and sums what acts on \p targets. A group whose stack is full finds
/// too little, and is reported in walk.fullAt.
template <bool kQuadrupole>
__device__ inline Found walkGroup(const FusedWalk& walk,
                                  const GroupBox& group,
                                  int g,
                                  WarpQueues& queues,
                                  int* stack,
                                  LaneTargets& targets) {
  const int lane = threadIdx.x % kLanes;
  const int* links = reinterpret_cast<const int*>(walk.tree.links);  // eight for each node
  Found found = {0, 0, 0};
  int waiting = 1, accepted = 0, leaves = 0;  // sizes of the stack and of the queues
  if (lane == 0) stack[0] = 0;
  __syncwarp();  // the first node is there
  while (waiting > 0) {
    const int opened = min(waiting, kOpened);
    waiting -= opened;
    const bool have = lane / 8 < opened;
    const int slot = have ? slotOf(stack[waiting + lane / 8], lane % 8) : 0;
    const int link = have ? links[slot] : kNoChild;
    const bool near = link != kNoChild && opens(walk.tree, group, slot);
    __syncwarp();  // the nodes are read, before their children take their place
    const bool isLeaf = near && link == kLeafChild;
    accepted = append(queues.accepted, accepted, link != kNoChild && !near, slot);
    leaves = append(queues.leaves, leaves, isLeaf, isLeaf ? walk.tree.bodies[slot] : int2{0, 0});
    const bool fits = waiting + kLanes <= walk.capacity;
    if (!fits && lane == 0) atomicMax(walk.fullAt, g + 1);
    waiting = append(stack, waiting, near && !isLeaf && fits, link);
    __syncwarp();  // queues and stack are whole
    if (accepted >= kLanes) {
      accepted -= kLanes;
      found.cells += kLanes;
      sumCells<kQuadrupole>(walk.tree,
                            queues.accepted + accepted,
                            kLanes,
                            queues.cells,
                            targets,
                            walk.softeningSquared);
    }
    if (leaves >= kLanes) {
      leaves -= kLanes;
      found.leaves += kLanes;
      found.sources += sumLeaves(walk.bodies,
                                 queues.leaves + leaves,
                                 kLanes,
                                 queues.sources,
                                 targets,
                                 walk.softeningSquared);
    }
  }
  sumCells<kQuadrupole>(
      walk.tree, queues.accepted, accepted, queues.cells, targets, walk.softeningSquared);
  found.cells += accepted;
  found.sources +=
      sumLeaves(walk.bodies, queues.leaves, leaves, queues.sources, targets, walk.softeningSquared);
  found.leaves += leaves;
  return found;
}

/// Each warp takes groups until none is left, and sums the forces on its bodies,
/// two a lane.
/// Shared memory: warpBytes() for each warp. Barriers: of warps alone.
template <bool kQuadrupole>
__global__ void __launch_bounds__(kFusedBlock) fusedWalkKernel(FusedWalk walk) {
  const int lane = threadIdx.x % kLanes;
  extern __shared__ uint4 warpMemory[];  // of all warps
  auto* own = reinterpret_cast<unsigned char*>(warpMemory) +
              threadIdx.x / kLanes * warpBytes(walk.capacity);
  auto& queues = *reinterpret_cast<WarpQueues*>(own);
  int* stack = reinterpret_cast<int*>(own + sizeof(WarpQueues));
  while (true) {
    int g = 0;
    if (lane == 0) g = atomicAdd(walk.nextGroup, 1);
    g = __shfl_sync(kAllLanes, g, 0);
    if (g >= walk.groups) return;  // the whole warp
    const GroupBox group = walk.tree.groups[g];
    // Once, unless the group has more bodies than a warp has targets.
    for (int first = 0; first < group.bodyCount; first += kTargets * kLanes) {
      const int bodies = min(group.bodyCount - first, kTargets * kLanes);
      const int begin = group.firstBody + first;
      LaneTargets targets = {};
      for (int t = 0; t < kTargets; ++t)  // a target past the end repeats the last body
        targets.body[t] = walk.bodies[begin + min(lane + t * kLanes, bodies - 1)];
      const Found found = walkGroup<kQuadrupole>(walk, group, g, queues, stack, targets);
      for (int t = 0; t < kTargets; ++t) {
        const real3 a = targets.acceleration[t];
        if (lane + t * kLanes < bodies)
          walk.accelerations[walk.order[begin + lane + t * kLanes]] = {a.x, a.y, a.z, 0};
      }
      if (walk.totals == nullptr || lane != 0) continue;
      atomicAdd(walk.totals, found.cells * bodies);
      atomicAdd(walk.totals + 1, found.sources * bodies);
      atomicAdd(walk.totals + 2, first == 0 ? found.cells : 0);
      atomicAdd(walk.totals + 3, first == 0 ? found.leaves : 0);
    }
  }
}

/// Runs fusedWalkKernel, with memory kept from one evaluation to the next.
class FusedWalker {
 public:
  /// Throws where a stack was full.
  /// \param walk  all but its last four members
  void run(FusedWalk walk, int depth, bool quadrupole, InteractionCounts* counts) {
    fillDevice(state_.reserve(2), 0, 2 * sizeof(int));
    walk.capacity = fusedStackFor(depth);
    walk.nextGroup = state_.data();
    walk.fullAt = state_.data() + 1;
    walk.totals = counts ? counts->data() : nullptr;
    // As many blocks as fit at once, and some: those that find no group left end at once.
    constexpr int kWarps = kFusedBlock / kLanes;
    constexpr int kThreadsOfMultiprocessor = 2048;
    const unsigned most = multiprocessors() * (kThreadsOfMultiprocessor / kFusedBlock);
    const unsigned blocks = std::min(blocksFor(walk.groups, kWarps), most);
    const std::size_t bytes = kWarps * warpBytes(walk.capacity);
    const auto kernel = quadrupole ? &fusedWalkKernel<true> : &fusedWalkKernel<false>;
    kernel<<<blocks, kFusedBlock, bytes, stream()>>>(walk);
    CUDA_CHECK(cudaGetLastError());
    const int fullAt = state_.download(1, 1)[0];
    if (fullAt != 0) throw fullStack(fullAt - 1, walk.capacity);
  }

 private:
  DeviceBuffer<int> state_{"what the warps of the walk share"};
};

}  // namespace nbody
