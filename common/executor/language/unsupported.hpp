/// \file
/// CUDA that the executor does not run: a use fails to compile and says so by name.
#pragma once

#define NBODY_UNSUPPORTED(what) \
  __attribute__((error("the CPU executor does not support " what ": use the gpu preset")))

NBODY_UNSUPPORTED("__activemask (pass the mask of lanes that you mean)")
unsigned __activemask();
NBODY_UNSUPPORTED("__match_any_sync") unsigned __match_any_sync(unsigned mask, ...);
NBODY_UNSUPPORTED("__match_all_sync") unsigned __match_all_sync(unsigned mask, ...);
NBODY_UNSUPPORTED("__nanosleep (threads that spin until another has written)")
void __nanosleep(unsigned nanoseconds);
NBODY_UNSUPPORTED("clock64") long long clock64();
NBODY_UNSUPPORTED("__syncthreads_count") int __syncthreads_count(int predicate);
NBODY_UNSUPPORTED("__syncthreads_and") int __syncthreads_and(int predicate);
NBODY_UNSUPPORTED("__syncthreads_or") int __syncthreads_or(int predicate);

using cudaStream_t = struct UnsupportedStream*;
NBODY_UNSUPPORTED("streams") int cudaStreamCreate(cudaStream_t* stream);
NBODY_UNSUPPORTED("streams") int cudaStreamSynchronize(cudaStream_t stream);

using cudaTextureObject_t = unsigned long long;
template <class T>
NBODY_UNSUPPORTED("textures")
T tex1Dfetch(cudaTextureObject_t texture, int index);

#undef NBODY_UNSUPPORTED
