/// \file
/// Found in place of CUDA's header in a build for the CPU.
#error \
    "the CPU executor does not support cooperative groups: use __syncthreads, __syncwarp and the warp functions"
