/// \file
/// The fused walk: walk and forces in one kernel. A warp takes a group after the other; where groups
/// are few, the warps of a block share one.
#pragma once

#include "cuda/launch.hpp"
#include "fused/group_shares.cuh"
#include "interaction_counts.cuh"

namespace nbody {

/// Groups for each multiprocessor below which the warps of a block share one: at 65,536 bodies of a
/// Plummer sphere that is 1.5 times as fast on an H200.
constexpr int kSharedGroups = 40;

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
  DeviceBuffer<int> state_{"shared walk state"};
};

}  // namespace nbody
