/// \file
/// The precision of a step: float, or double if NBODY_FP64 is defined.
#pragma once

#include <cuda_runtime.h>

#include "base/double4.hpp"

namespace nbody {

#ifdef NBODY_FP64
#define NBODY_PRECISION fp64
using real = double;
using real2 = double2;
using real3 = double3;
using real4 = Double4;
#else
/// The inline namespace of a step's precision. A step is in nbody::NAME, and in both precisions it fits into one program.
#define NBODY_PRECISION fp32
using real = float;
using real2 = float2;
using real3 = float3;
using real4 = float4;
#endif

/// Returns \p v with four components, as arrays hold it: x, y, z, 0.
__host__ __device__ inline real4 padded(real3 v) { return {v.x, v.y, v.z, 0}; }

}  // namespace nbody

#if defined(NBODY_GPU) && defined(__CUDACC__) && \
    (CUDART_VERSION < 12010 || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900))
/// Adds four floats one by one: a GPU below sm_90 has no atomic on the whole vector.
__device__ inline float4 atomicAdd(float4* address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
          atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#endif

#if !defined(NBODY_GPU) || defined(__CUDACC__)
/// Adds four doubles one by one: no GPU has an atomic on the whole vector.
__device__ inline nbody::Double4 atomicAdd(nbody::Double4* address, nbody::Double4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
          atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#endif
