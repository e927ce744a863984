/// \file
/// Where a rank's bodies are, for the others to know which of their cells its walk can open.
#pragma once

#include "tree/opening.cuh"

namespace nbody {

/// Boxes of a rank: runs of its groups along the curve. One box would hold much that is another's.
constexpr int kBoundaryBoxes = 128;

/// A box around groups, with the greatest ease of any: it opens every cell that one of them opens.
struct BoundaryBox {
  real4 lower;  ///< x, y, z, ease
  real4 upper;  ///< x, y, z; unused
};

/// Of some groups.
struct Surround {
  Bounds box;
  real ease;

  __device__ Surround operator+(const Surround& s) const {
    return {box + s.box, max(ease, s.ease)};
  }
};

/// Warp b makes box b; one without groups is empty, and opens nothing.
/// \param groups  how many there are; null: none
/// \param boxes   out; length kBoundaryBoxes
static __global__ void boundaryKernel(const GroupBox* boxesOfGroups,
                                      const real* eases,
                                      const int* groups,
                                      BoundaryBox* boxes) {
  const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const long long count = groups == nullptr ? 0 : *groups;
  const int end = static_cast<int>(count * (b + 1) / kBoundaryBoxes);
  Surround all = {noBounds(), 0};
  for (int g = count * b / kBoundaryBoxes + threadIdx.x % 32; g < end; g += 32)
    all = all + Surround{{boxesOfGroups[g].lower, boxesOfGroups[g].upper}, eases[g]};
  all = sumOverLanes<32>(all);
  const real3 low = all.box.lower, high = all.box.upper;
  if (threadIdx.x % 32 == 0)
    boxes[b] = {{low.x, low.y, low.z, all.ease}, {high.x, high.y, high.z, 0}};
}

/// Puts boundaryKernel on the suite's stream.
/// \param tree  null: this rank has no bodies
inline void setBoundary(const TreeArrays* tree, BoundaryBox* boxes) {
  constexpr int kBlock = 128;
  boundaryKernel<<<kBoundaryBoxes * 32 / kBlock, kBlock, 0, stream()>>>(
      tree ? tree->groups : nullptr,
      tree ? tree->eases : nullptr,
      tree ? &tree->state->groups : nullptr,
      boxes);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
