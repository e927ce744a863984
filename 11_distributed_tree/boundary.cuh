/// \file
/// Boxes around a rank's bodies. They tell other ranks which of their cells its walk can open.
#pragma once

#include "07_device_tree/tuned.cuh"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

using tree::Bounds;
using tree::CellSums;
using tree::Extent;
using tree::noBounds;
using tree::OpensByAcceleration;
using tree::Spare;
using tree::sumOverLanes;
using tree::Tree;
using tree::TunedTree;
using walk::childIndex;
using walk::GroupBox;
using walk::kKeyLevels;
using walk::kLeafChild;
using walk::kMaxNodes;
using walk::kNoChild;
using walk::momentsOf;
using walk::TreeView;

/// A box around groups, with the largest opening scale. It opens every cell that one of them opens.
struct alignas(sizeof(real4)) BoundaryBox {
  real4 lower;  ///< x, y, z, opening scale
  real4 upper;  ///< x, y, z; unused
};

/// Boxes around runs of a rank's groups along the curve: kFirst boxes, then kFiner times as many,
/// and so on. A run of the curve can bend, so its box may cover another rank's bodies. Finer boxes
/// limit that overlap.
class CoverLevels {
 public:
  static constexpr int kFirst = 128, kBits = 4, kFiner = 1 << kBits;
  static constexpr int kMostFiner = 2;  // with this the boxes take 1.1 MB

  /// \param bodies  number of bodies of a rank
  /// \param group   largest number of bodies of a group
  CoverLevels(int bodies, int group) {
    while (finer_ < kMostFiner && bodies / group > atLevel(finer_)) ++finer_;
  }

  __host__ __device__ static int atLevel(int level) { return kFirst << (kBits * level); }
  /// Returns the number of boxes before those of a level.
  __host__ __device__ static int before(int level) {
    return (atLevel(level) - kFirst) / (kFiner - 1);
  }
  __host__ __device__ int finest() const { return finer_; }
  __host__ __device__ int count() const { return before(finer_ + 1); }

 private:
  int finer_ = 0;
};

/// Box and largest opening scale of some groups.
struct GroupCover {
  Bounds box;
  real scale;

  __device__ GroupCover operator+(const GroupCover& s) const {
    return {box + s.box, max(scale, s.scale)};
  }
};

/// Warp b makes box b. A box without groups is empty, and opens nothing.
/// \param groups  number of groups, in device memory; null: none
/// \param boxes   out; length levels.count()
static __global__ void boundaryKernel(const GroupBox* boxesOfGroups,
                                      const real* openingScales,
                                      const int* groups,
                                      CoverLevels levels,
                                      BoundaryBox* boxes) {
  const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (b >= levels.count()) return;
  int level = 0;
  while (b >= levels.before(level + 1)) ++level;
  const long long run = b - levels.before(level), runs = levels.atLevel(level);
  const long long count = groups == nullptr ? 0 : *groups;
  const int end = static_cast<int>(count * (run + 1) / runs);
  GroupCover all = {noBounds(), 0};
  for (int g = count * run / runs + threadIdx.x % 32; g < end; g += 32)
    all = all + GroupCover{{boxesOfGroups[g].lower, boxesOfGroups[g].upper}, openingScales[g]};
  all = sumOverLanes<32>(all);
  const real3 low = all.box.lower, high = all.box.upper;
  if (threadIdx.x % 32 == 0)
    boxes[b] = {{low.x, low.y, low.z, all.scale}, {high.x, high.y, high.z, 0}};
}

/// Launches boundaryKernel on the suite's stream.
/// \param tree  null: this rank has no bodies
inline void setBoundary(const TunedTree* tree, CoverLevels levels, BoundaryBox* boxes) {
  constexpr int kBlock = 128;
  boundaryKernel<<<blocksFor(32LL * levels.count(), kBlock), kBlock, 0, stream()>>>(
      tree ? tree->tree().groups : nullptr,
      tree ? tree->openingScales() : nullptr,
      tree ? &tree->tree().cells.state->groups : nullptr,
      levels,
      boxes);
  CUDA_CHECK(cudaGetLastError());
}

/// Returns whether a group of the rank with these \p boxes opens \p cell. The warp tests 32 boxes at
/// a time. If one opens the cell, the warp tests the finer boxes in it.
/// \param first, count  boxes of level \p kLevel to test
template <int kLevel = 0>
__device__ inline bool opensAny(const TreeView& tree,
                                const OpensByAcceleration& rule,
                                const BoundaryBox* boxes,
                                CoverLevels levels,
                                int cell,
                                int first = 0,
                                int count = CoverLevels::kFirst) {
  const BoundaryBox* const ofLevel = boxes + levels.before(kLevel);
  for (int b = first; b < first + count; b += 32) {
    const int own = b + threadIdx.x % 32;
    const BoundaryBox box = ofLevel[min(own, first + count - 1)];
    const GroupBox group = {
        {box.lower.x, box.lower.y, box.lower.z}, {box.upper.x, box.upper.y, box.upper.z}, 0, 0};
    unsigned open = __ballot_sync(
        0xffffffffu, own < first + count && rule.opens(tree, group, box.lower.w, cell));
    if (open != 0 && kLevel == levels.finest()) return true;
    if constexpr (kLevel < CoverLevels::kMostFiner)
      for (constexpr int kFiner = CoverLevels::kFiner; open != 0; open &= open - 1)
        if (opensAny<kLevel + 1>(
                tree, rule, boxes, levels, cell, kFiner * (b + __ffs(open) - 1), kFiner))
          return true;
  }
  return false;
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
