/// \file
/// CUDA's qualifiers as macros, for files that are not translated.
#pragma once

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)

// One instance per OS thread, which runs one block at a time, so one per running block. At block
// scope thread_local implies static storage.
#define __shared__ thread_local
