/// \file
/// The fused walk: walk and forces in one kernel. A warp takes one group after the other. If groups
/// are few, the warps of a block share one.
#pragma once

#include "06_tree_walk/walk/group_warps.cuh"
#include "cuda/device_buffer.hpp"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Number of groups per multiprocessor below which the warps of a block share a group. With 65,536
/// bodies of a Plummer sphere this is 1.5 times as fast on an H200.
constexpr int kSharedGroups = 40;

/// Writes the accelerations of \p bodies <= 64 bodies from place \p begin on.
template <class Rule, class Counter>
__device__ inline void store(const FusedWalk<Rule, Counter>& walk,
                             const LaneTargets& targets,
                             int begin,
                             int bodies) {
  for (int t = 0; t < kTargets; ++t) {
    const int k = threadIdx.x % kLanes + t * kLanes;
    if (k >= bodies) continue;
    const real3 a = targets.acceleration[t];
    const int body = walk.order[begin + k];
    walk.accelerations[body] = {a.x, a.y, a.z, 0};
    walk.rule.keep(body, a);
  }
}

/// Each warp (each block if kWarpsPerGroup is kFusedWarps) takes groups until none is left, and sums the
/// forces on their bodies, two per lane.
/// Shared memory: warpBytes() per warp. Barriers: only of warps, unless warps share.
template <bool kQuadrupole, int kWarpsPerGroup, class Rule, class Counter>
__global__ void __launch_bounds__(kFusedBlock) fusedWalkKernel(FusedWalk<Rule, Counter> walk) {
  static_assert(kWarpsPerGroup == 1 || kWarpsPerGroup == kFusedWarps);
  const int lane = threadIdx.x % kLanes;
  const int stride = warpBytes(walk.capacity);
  extern __shared__ uint4 warpMemory[];  // memory of all warps
  auto* own = reinterpret_cast<unsigned char*>(warpMemory) + threadIdx.x / kLanes * stride;
  auto& queues = *reinterpret_cast<WarpQueues*>(own);
  int* stack = reinterpret_cast<int*>(own + sizeof(WarpQueues));
  while (true) {
    const int g = takeGroup<kWarpsPerGroup>(walk);
    if (g >= *walk.groups) return;  // all warps that share the group return
    const GroupBox group = walk.tree.groups[g];
    // One iteration, unless the group has more bodies than a warp has targets.
    for (int first = 0; first < group.bodyCount; first += kTargets * kLanes) {
      const int bodies = min(group.bodyCount - first, kTargets * kLanes);
      const int begin = group.firstBody + first;
      LaneTargets targets = {};
      for (int t = 0; t < kTargets; ++t)  // a target past the end repeats the last body
        targets.body[t] = walk.bodies[begin + min(lane + t * kLanes, bodies - 1)];
      const auto found =
          walkGroup<kQuadrupole, kWarpsPerGroup>(walk, group, g, queues, stack, targets);
      if (kWarpsPerGroup > 1) addWarps(queues, stride, targets);
      if (kWarpsPerGroup == 1 || threadIdx.x < kLanes) store(walk, targets, begin, bodies);
      if (lane == 0) walk.counter.add(found, g, bodies, first == 0);
    }
  }
}

/// Returns a counter that uses \p totals, set to 0.
inline WalkCounter clearedCounter(DeviceBuffer<unsigned long long>& totals) {
  const WalkCounter counter = {totals.reserve(WalkCounter::kTotals)};
  fillDevice(counter.totals, 0, WalkCounter::kTotals * sizeof *counter.totals);
  return counter;
}

/// Launches fusedWalkKernel on the suite's stream.
/// \param groups  about how many groups there are, which decides the size of the grid
template <class Rule, class Counter>
void launchFusedWalk(const FusedWalk<Rule, Counter>& walk, int groups, bool quadrupole) {
  const bool shared = groups < kSharedGroups * multiprocessors();
  // Slightly more blocks than fit at once: a block that finds no group ends at once.
  constexpr int kThreadsOfMultiprocessor = 2048;
  const unsigned most = multiprocessors() * (kThreadsOfMultiprocessor / kFusedBlock);
  const unsigned blocks = std::min(blocksFor(groups, shared ? 1 : kFusedWarps), most);
  const std::size_t bytes = kFusedWarps * warpBytes(walk.capacity);
  const auto kernel = quadrupole ? (shared ? &fusedWalkKernel<true, kFusedWarps, Rule, Counter>
                                           : &fusedWalkKernel<true, 1, Rule, Counter>)
                                 : (shared ? &fusedWalkKernel<false, kFusedWarps, Rule, Counter>
                                           : &fusedWalkKernel<false, 1, Rule, Counter>);
  kernel<<<blocks, kFusedBlock, bytes, stream()>>>(walk);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::walk
