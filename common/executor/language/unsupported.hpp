/// \file
/// CUDA that the executor does not run: a use fails to compile and says so by name.
#pragma once

#define NBODY_UNSUPPORTED(what) \
  __attribute__((error("the CPU executor does not support " what ": use the gpu preset")))

using cudaTextureObject_t = unsigned long long;
template <class T>
NBODY_UNSUPPORTED("textures")
T tex1Dfetch(cudaTextureObject_t texture, int index);

#undef NBODY_UNSUPPORTED
