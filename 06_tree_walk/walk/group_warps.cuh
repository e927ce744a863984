/// \file
/// Gives groups to the warps of the fused walk, and adds the sums of warps that share a group.
#pragma once

#include "06_tree_walk/walk/group_walk.cuh"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kFusedBlock = 128;
constexpr int kFusedWarps = kFusedBlock / kLanes;

/// Returns the next group for the warps that share it. Barriers: 1 if kWarpsPerGroup > 1.
template <int kWarpsPerGroup, class Rule, class Counter>
__device__ inline int takeGroup(const FusedWalk<Rule, Counter>& walk) {
  int g = 0;
  if (threadIdx.x % (kWarpsPerGroup * kLanes) == 0) g = atomicAdd(walk.nextGroup, 1);
  if (kWarpsPerGroup == 1) return __shfl_sync(kAllLanes, g, 0);
  __shared__ int taken;
  if (threadIdx.x == 0) taken = g;
  __syncthreads();  // the group is written; addWarps() keeps its writer from overwriting it
  return taken;
}

/// Adds the accelerations of the block's other warps to those of the first warp. They go through
/// the memory of the queues, which are empty. Barriers: 2.
__device__ inline void addWarps(WarpQueues& own, int stride, LaneTargets& targets) {
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

}  // namespace nbody::inline NBODY_PRECISION::walk
