/// \file
/// The groups that share a walk: their tight boxes, and how far they reach for cells to open.
#pragma once

#include "tree/arrays.cuh"

namespace nbody {

/// A warp for each group: its tight box, and with Opening::felt the mean acceleration that its bodies
/// felt in the step before. Nothing felt yet: M / R^2 of all bodies.
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
      if (tree.opening == Opening::felt) felt += tree.felt[tree.order[i]];
    }
    box = sumOverLanes<32>(box);
    felt = sumOverLanes<32>(felt);
    if (threadIdx.x % 32 != 0) continue;
    tree.groups[g] = {box.lower, box.upper, first, end - first};
    if (tree.opening != Opening::felt) continue;
    felt /= end - first;
    if (!(felt > 0)) felt = static_cast<real>(tree.state->density);
    tree.reaches[g] = felt;
    // The bits of floats above 0 are in their order.
    atomicMax(&tree.state->strongest, __float_as_int(static_cast<float>(felt)));
  }
}

/// Thread g: what the square of group g's opening distances is multiplied by. These are made for the
/// group that felt most and are proportional to a^(-1/6): at most three times as long for another,
/// and never shorter, for they reach a cell's own corners.
static __global__ void reachesKernel(TreeArrays tree) {
  const real most = __int_as_float(tree.state->strongest);
  const int groups = tree.state->groups;
  for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups; g += gridDim.x * blockDim.x) {
    const real felt = tree.reaches[g];
    tree.reaches[g] = felt < most ? cbrt(most / max(felt, real(1e-3) * most)) : real(1);
  }
}

}  // namespace nbody
