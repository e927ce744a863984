/// \file
/// The fused walk: a warp walks the tree for a group and sums the pulls of cells and bodies as it
/// finds them, so that no interaction list is ever stored. Where groups are few, the warps of a block
/// share one.
#pragma once

#include "cuda/multiprocessors.hpp"
#include "fused/warp_queues.cuh"
#include "interaction_counts.cuh"

namespace nbody {

constexpr int kOpened = 4;  // nodes that a warp opens in an iteration: a lane for each child
constexpr int kFusedBlock = 128;
constexpr int kFusedWarps = kFusedBlock / kLanes;

/// Groups for each multiprocessor below which the warps of a block share one: at 65,536 bodies of a
/// Plummer sphere that is 1.5 times as fast on an H200.
constexpr int kSharedGroups = 40;

/// Nodes still to be opened. An iteration takes the deepest first, so the waiting nodes of a level
/// are children of one iteration: at most kLanes.
constexpr int fusedStackFor(int depth) { return kLanes * (depth + 1); }

/// Shared memory of a warp: its queues, and a stack of \p capacity nodes behind them.
__host__ __device__ constexpr int warpBytes(int capacity) {
  return sizeof(WarpQueues) + capacity * sizeof(int);
}

/// What fusedWalkKernel needs. Arrays of bodies are in the space-filling order.
template <class Rule>
struct FusedWalk {
  TreeView tree;
  const real4* bodies;  ///< x, y, z, mass
  const int* order;  ///< of the body at each place
  real softeningSquared;
  real4* accelerations;  ///< out: x, y, z, 0 of each body
  Rule rule = {};  ///< when a cell is opened
  real* felt = nullptr;  ///< out: the length of each body's acceleration; null: not asked for
  int capacity = 0;  ///< of a warp's stack, a multiple of 4
  const int* groups = nullptr;  ///< how many there are: in device memory, for 07 learns it there
  int* nextGroup = nullptr;  ///< in: 0; which no warp has taken
  int* fullAt = nullptr;  ///< out: 1 + a group whose stack was full, where there is one
  unsigned long long* totals = nullptr;  ///< out: as of countKernel(); null: not counted
  unsigned long long* work = nullptr;  ///< adds: FLOP for a body of each group; null: not asked for
};

/// What a walk found.
struct Found {
  unsigned long long cells;
  unsigned long long leaves;
  unsigned long long sources;  ///< bodies of the leaves
};

/// Walks the tree for \p group and sums what acts on \p targets. kShare warps walk alike, and each sums
/// every kShare-th batch of what they find. A group whose stack is full finds too little, and is
/// reported in walk.fullAt.
template <bool kQuadrupole, int kShare, class Rule>
__device__ inline Found walkGroup(const FusedWalk<Rule>& walk,
                                  const GroupBox& group,
                                  int g,
                                  WarpQueues& queues,
                                  int* stack,
                                  LaneTargets& targets) {
  const int lane = threadIdx.x % kLanes;
  const int* links = reinterpret_cast<const int*>(walk.tree.links);  // eight for each node
  const auto ofGroup = walk.rule.ofGroup(g);
  Found found = {0, 0, 0};
  int batch = threadIdx.x / kLanes % kShare;
  const auto sumAccepted = [&](int first, int count) {
    if (batch++ % kShare != 0) return;
    found.cells += count;
    const int* slots = queues.accepted + first;
    sumCells<kQuadrupole>(walk.tree, slots, count, queues.cells, targets, walk.softeningSquared);
  };
  const auto sumOpened = [&](int first, int count) {
    if (batch++ % kShare != 0) return;
    found.leaves += count;
    const int2* leaves = queues.leaves + first;
    found.sources +=
        sumLeaves(walk.bodies, leaves, count, queues.sources, targets, walk.softeningSquared);
  };
  int waiting = 1, accepted = 0, leaves = 0;  // sizes of the stack and of the queues
  if (lane == 0) stack[0] = 0;
  __syncwarp();  // the first node is there
  while (waiting > 0) {
    const int opened = min(waiting, kOpened);
    waiting -= opened;
    const bool have = lane / 8 < opened;
    const int slot = have ? slotOf(stack[waiting + lane / 8], lane % 8) : 0;
    const int link = have ? links[slot] : kNoChild;
    const bool near = link != kNoChild && walk.rule.opens(walk.tree, group, ofGroup, slot);
    __syncwarp();  // the nodes are read, before their children take their place
    const bool isLeaf = near && link == kLeafChild;
    accepted = append(queues.accepted, accepted, link != kNoChild && !near, slot);
    leaves = append(queues.leaves, leaves, isLeaf, isLeaf ? walk.tree.bodies[slot] : int2{0, 0});
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

/// The next group for the warps that share it. Barriers: 1 where kShare > 1.
template <int kShare, class Rule>
__device__ inline int takeGroup(const FusedWalk<Rule>& walk) {
  int g = 0;
  if (threadIdx.x % (kShare * kLanes) == 0) g = atomicAdd(walk.nextGroup, 1);
  if (kShare == 1) return __shfl_sync(kAllLanes, g, 0);
  __shared__ int taken;
  if (threadIdx.x == 0) taken = g;
  __syncthreads();  // it is there; who wrote it waits in addShares() until all have read it
  return taken;
}

/// Adds the accelerations that the block's warps have summed to those of the first. They go through
/// the memory of the queues, which are empty. Barriers: 2.
__device__ inline void addShares(WarpQueues& own, int stride, LaneTargets& targets) {
  const int lane = threadIdx.x % kLanes;
  const auto sumsOf = [&](int warp) {
    static_assert(sizeof own.cells >= kTargets * kLanes * sizeof(real3));
    auto* place = reinterpret_cast<unsigned char*>(&own) + warp * stride;
    return reinterpret_cast<real3*>(reinterpret_cast<WarpQueues*>(place)->cells);
  };
  for (int t = 0; t < kTargets; ++t) sumsOf(0)[lane + t * kLanes] = targets.acceleration[t];
  __syncthreads();  // all have theirs there
  if (threadIdx.x < kLanes)
    for (int warp = 1; warp < kFusedWarps; ++warp)
      for (int t = 0; t < kTargets; ++t) {
        const real3 more = sumsOf(warp)[lane + t * kLanes];
        real3& a = targets.acceleration[t];
        a = {a.x + more.x, a.y + more.y, a.z + more.z};
      }
  __syncthreads();  // and they are read, before queues take their place
}

/// Writes the accelerations of the \p bodies <= 64 bodies from place \p begin on.
template <class Rule>
__device__ inline void store(const FusedWalk<Rule>& walk,
                             const LaneTargets& targets,
                             int begin,
                             int bodies) {
  for (int t = 0; t < kTargets; ++t) {
    const int k = threadIdx.x % kLanes + t * kLanes;
    if (k >= bodies) continue;
    const real3 a = targets.acceleration[t];
    const int body = walk.order[begin + k];
    walk.accelerations[body] = {a.x, a.y, a.z, 0};
    if (walk.felt != nullptr) walk.felt[body] = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  }
}

/// Each warp, or each block where kShare is kFusedWarps, takes groups until none is left, and sums the
/// forces on their bodies, two a lane.
/// Shared memory: warpBytes() for each warp. Barriers: of warps alone, but where warps share.
template <bool kQuadrupole, int kShare, class Rule>
__global__ void __launch_bounds__(kFusedBlock) fusedWalkKernel(FusedWalk<Rule> walk) {
  static_assert(kShare == 1 || kShare == kFusedWarps);
  const int lane = threadIdx.x % kLanes;
  const int stride = warpBytes(walk.capacity);
  extern __shared__ uint4 warpMemory[];  // of all warps
  auto* own = reinterpret_cast<unsigned char*>(warpMemory) + threadIdx.x / kLanes * stride;
  auto& queues = *reinterpret_cast<WarpQueues*>(own);
  int* stack = reinterpret_cast<int*>(own + sizeof(WarpQueues));
  while (true) {
    const int g = takeGroup<kShare>(walk);
    if (g >= *walk.groups) return;  // all that share
    const GroupBox group = walk.tree.groups[g];
    // Once, unless the group has more bodies than a warp has targets.
    for (int first = 0; first < group.bodyCount; first += kTargets * kLanes) {
      const int bodies = min(group.bodyCount - first, kTargets * kLanes);
      const int begin = group.firstBody + first;
      LaneTargets targets = {};
      for (int t = 0; t < kTargets; ++t)  // a target past the end repeats the last body
        targets.body[t] = walk.bodies[begin + min(lane + t * kLanes, bodies - 1)];
      const Found found = walkGroup<kQuadrupole, kShare>(walk, group, g, queues, stack, targets);
      if (kShare > 1) addShares(queues, stride, targets);
      if (kShare == 1 || threadIdx.x < kLanes) store(walk, targets, begin, bodies);
      if (lane != 0) continue;
      if (walk.work != nullptr)
        atomicAdd(walk.work + g, kNodeFlop * found.cells + kLeafFlop * found.sources);
      if (walk.totals == nullptr) continue;
      atomicAdd(walk.totals, found.cells * bodies);
      atomicAdd(walk.totals + 1, found.sources * bodies);
      atomicAdd(walk.totals + 2, first == 0 ? found.cells : 0);
      atomicAdd(walk.totals + 3, first == 0 ? found.leaves : 0);
    }
  }
}

/// Puts fusedWalkKernel on the suite's stream.
/// \param groups  about how many there are: for the shape of the grid
template <class Rule>
void launchFusedWalk(const FusedWalk<Rule>& walk, int groups, bool quadrupole) {
  const bool shared = groups < kSharedGroups * multiprocessors();
  // As many blocks as fit at once, and some: those that find no group left end at once.
  constexpr int kThreadsOfMultiprocessor = 2048;
  const unsigned most = multiprocessors() * (kThreadsOfMultiprocessor / kFusedBlock);
  const unsigned blocks = std::min(blocksFor(groups, shared ? 1 : kFusedWarps), most);
  const std::size_t bytes = kFusedWarps * warpBytes(walk.capacity);
  const auto kernel =
      quadrupole
          ? (shared ? &fusedWalkKernel<true, kFusedWarps, Rule> : &fusedWalkKernel<true, 1, Rule>)
          : (shared ? &fusedWalkKernel<false, kFusedWarps, Rule>
                    : &fusedWalkKernel<false, 1, Rule>);
  kernel<<<blocks, kFusedBlock, bytes, stream()>>>(walk);
  CUDA_CHECK(cudaGetLastError());
}

/// Runs fusedWalkKernel, with memory kept from one evaluation to the next.
class FusedWalker {
 public:
  /// Throws where a stack was full.
  /// \param walk  what it is to find, and where
  template <class Rule>
  void run(FusedWalk<Rule> walk,
           int groups,
           int depth,
           bool quadrupole,
           InteractionCounts* counts) {
    state_.upload({groups, 0, 0});
    walk.capacity = fusedStackFor(depth);
    walk.groups = state_.data();
    walk.nextGroup = state_.data() + 1;
    walk.fullAt = state_.data() + 2;
    walk.totals = counts ? counts->data() : nullptr;
    launchFusedWalk(walk, groups, quadrupole);
    const int fullAt = state_.download(2, 1)[0];
    if (fullAt != 0) throw fullStack(fullAt - 1, walk.capacity);
  }

 private:
  DeviceBuffer<int> state_{"what the warps of the walk share"};
};

}  // namespace nbody
