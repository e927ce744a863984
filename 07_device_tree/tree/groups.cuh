/// \file
/// The groups that share a walk: their tight boxes, and what they felt.
#pragma once

#include "tree/opening.cuh"

namespace nbody {

/// A warp for each group: its tight box, and what its bodies felt in the step before.
static __global__ void groupsKernel(TreeArrays tree) {
  const int groups = tree.state->groups;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < groups; g += warps) {
    const int first = tree.groupFirst[g];
    const int end = tree.groupFirst[g + 1];
    Bounds box = noBounds();
    real felt = 0;
    for (int i = first + threadIdx.x % 32; i < end; i += 32) {
      box = box + boundsOf(tree.bodies[i]);
      if (tree.felt != nullptr) felt += tree.felt[tree.order[i]];
    }
    box = sumOverLanes<32>(box);
    felt = sumOverLanes<32>(felt);
    if (threadIdx.x % 32 != 0) continue;
    tree.groups[g] = {box.lower, box.upper, first, end - first};
    tree.eases[g] = easeOf(tree, felt / (end - first));
  }
}

}  // namespace nbody
