// Compiled by a test with one of the macros defined; must fail to compile, with the reason.
#include "cuda/cuda.hpp"

__global__ void kernel(unsigned* out) {
#ifdef NBODY_USE_TEXTURES
  out[0] = tex1Dfetch<unsigned>(0, 0);
#endif
  out[1] = threadIdx.x;
}

#ifdef NBODY_USE_STREAMS
void host() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
}
#endif
