/// \file
/// Copies bodies into the space-filling order.
#pragma once

#include "cuda/cuda.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// Thread k copies the body at place k of the space-filling order. Shared memory, barriers: none.
[[maybe_unused]] static __global__ void sortKernel(const real4* __restrict__ bodies,
                                                   const int* __restrict__ order,
                                                   int count,
                                                   real4* __restrict__ sorted) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) sorted[k] = bodies[order[k]];
}

}  // namespace nbody::inline NBODY_PRECISION::walk
