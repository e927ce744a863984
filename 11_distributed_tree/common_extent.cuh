/// \file
/// Extent of the bodies of all ranks, from which their trees get the same root.
#pragma once

#include "11_distributed_tree/boundary.cuh"
#include "11_distributed_tree/rank_work.hpp"
#include "11_distributed_tree/typed_messages.hpp"
#include "ranks/communicator.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Number of CellSums that a rank sends. sizeof(CellSums) is not a multiple of sizeof(real4), so
/// two are sent; the second is padding.
constexpr int kSentSums = 2;

/// One warp adds up \p parts.
static __global__ void ownSumsKernel(const CellSums* parts, int count, CellSums* own) {
  const CellSums all = sumByWarp(parts, count, tree::noSums());
  if (threadIdx.x < kSentSums) own[threadIdx.x] = threadIdx.x == 0 ? all : tree::noSums();
}

/// One warp adds up \p parts. The box decides the root cube, so it is kept unless \p renew is set.
/// A body that leaves the cube counts to the cells at its faces.
/// \param common  in and out
static __global__ void holdKernel(const CellSums* parts, int count, bool renew, CellSums* common) {
  const CellSums all = sumByWarp(parts, count, tree::noSums());
  if (threadIdx.x != 0) return;
  const Bounds box = renew ? all.box : common->box;
  *common = all;
  common->box = box;
}

/// Keeps one root cube for all ranks, and between decompositions. With another cube, cells would
/// cross the borders between the ranks' bodies, and a walk takes its parts one by one.
class CommonExtent {
 public:
  explicit CommonExtent(const RankWork& work) : work_(work) {}

  /// Queues the extent of all ranks' bodies on the suite's stream. Collective.
  /// \param octree  adds up this rank's bodies
  /// \param renew   chooses a new root cube
  Extent of(const DeviceArray<real4>& bodies, TunedTree& octree, bool renew) {
    if (origin_.data() == nullptr) setOrigin(bodies);
    Extent extent = {nullptr, 0};
    if (bodies.size() > 0) extent = octree.extentOf(bodies, origin_.data(), work_.options);
    const int ranks = work_.shares.ranks;
    if (ranks == 1) return extent;
    CellSums* own = own_.reserve(kSentSums);
    CellSums* all = all_.reserve(ranks * kSentSums);
    ownSumsKernel<<<1, 32, 0, stream()>>>(extent.parts, extent.count, own);
    CUDA_CHECK(cudaGetLastError());
    gatherAll<kSentSums>(work_.transport, own, all, kSentSums, ranks, stream());
    holdKernel<<<1, 32, 0, stream()>>>(all, ranks * kSentSums, renew, common_.reserve(1));
    CUDA_CHECK(cudaGetLastError());
    return {common_.data(), 1};
  }

 private:
  /// Sets the origin of all ranks' sums to a body: sums about 0 lose precision far away from it.
  void setOrigin(const DeviceArray<real4>& bodies) {
    real4 first = {0, 0, 0, 0};
    if (bodies.size() > 0) copyToHost(&first, bodies.data(), sizeof first);
    const std::vector<real4> firsts = Communicator::world().allGather(first);
    int rank = 0;
    while (work_.shares.count(rank) == 0) ++rank;
    origin_.upload({firsts[rank]});
  }

  const RankWork& work_;
  DeviceBuffer<real4> origin_{"place of a body"};
  DeviceBuffer<CellSums> own_{"extent of the bodies of this rank"},
      all_{"extents of the bodies of all ranks"};
  DeviceBuffer<CellSums> common_{"extent of all bodies"};
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
