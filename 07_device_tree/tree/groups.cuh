/// \file
/// The groups of bodies that share a walk.
#pragma once

#include "07_device_tree/tree/arrays.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

/// Returns the tight box and the bodies of group \p g in each lane of the warp.
__device__ inline GroupBox groupBox(const SortedBodies& sorted, const Cells& cells, int g) {
  const int first = cells.groupFirst[g];
  const int end = cells.groupFirst[g + 1];
  Bounds box = noBounds();
  for (int i = first + threadIdx.x % 32; i < end; i += 32) box = box + boundsOf(sorted.bodies[i]);
  box = sumOverLanes<32>(box);
  return {box.lower, box.upper, first, end - first};
}

/// Each warp finds the box of a group.
[[maybe_unused]] static __global__ void groupsKernel(SortedBodies sorted,
                                                     Cells cells,
                                                     GroupBox* groups) {
  const int warps = gridDim.x * blockDim.x / 32;
  for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < cells.state->groups; g += warps) {
    const GroupBox group = groupBox(sorted, cells, g);
    if (threadIdx.x % 32 == 0) groups[g] = group;
  }
}

}  // namespace nbody::inline NBODY_PRECISION::tree
