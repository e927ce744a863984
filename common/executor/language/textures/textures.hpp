/// \file
/// CUDA's functions that fetch from texture objects.
#pragma once

#include "executor/language/textures/fetch.hpp"

// Each gives a value, or writes it to where its first argument points.
#define NBODY_FETCH(name, parameters, arguments, place)                                  \
  template <class T>                                                                     \
  NBODY_ALWAYS_INLINE T name(cudaTextureObject_t object, NBODY_UNBRACKETED parameters) { \
    using namespace nbody::executor;                                                     \
    return fromRegisters<T>(readFootprint(footprint(object, NBODY_UNBRACKETED place)));  \
  }                                                                                      \
  template <class T>                                                                     \
  NBODY_ALWAYS_INLINE void name(                                                         \
      T* value, cudaTextureObject_t object, NBODY_UNBRACKETED parameters) {              \
    *value = name<T>(object, NBODY_UNBRACKETED arguments);                               \
  }
#define NBODY_UNBRACKETED(...) __VA_ARGS__
NBODY_FETCH(tex1Dfetch, (int x), (x), (x))
NBODY_FETCH(tex1D, (float x), (x), (1, x, 0, 0))
NBODY_FETCH(tex2D, (float x, float y), (x, y), (2, x, y, 0))
NBODY_FETCH(tex3D, (float x, float y, float z), (x, y, z), (3, x, y, z))
// There is one level, whichever is asked for.
NBODY_FETCH(tex1DLod, (float x, [[maybe_unused]] float level), (x, level), (1, x, 0, 0))
NBODY_FETCH(tex2DLod, (float x, float y, [[maybe_unused]] float level), (x, y, level), (2, x, y, 0))
NBODY_FETCH(tex3DLod,
            (float x, float y, float z, [[maybe_unused]] float level),
            (x, y, z, level),
            (3, x, y, z))
#undef NBODY_UNBRACKETED
#undef NBODY_FETCH

/// Component \p component of the four texels around \p x, \p y.
template <class T>
NBODY_ALWAYS_INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  using namespace nbody::executor;
  const Footprint f = gatherFootprint(object, x, y);
  TexelRegisters result;
  for (int i = 0; i < 4; ++i) result.bits[i] = readTexel(f.texture, f.texel[i]).bits[component & 3];
  return fromRegisters<T>(result);
}

// What the executor's textures are not, by name.
#define NBODY_UNSUPPORTED(name)                                         \
  template <class T, class... Arguments>                                \
  __attribute__((error("the CPU executor does not support " #name       \
                       "(): textures have one layer and one level"))) T \
  name(cudaTextureObject_t object, Arguments... arguments);
NBODY_UNSUPPORTED(tex1DLayered)
NBODY_UNSUPPORTED(tex2DLayered)
NBODY_UNSUPPORTED(tex1DLayeredLod)
NBODY_UNSUPPORTED(tex2DLayeredLod)
NBODY_UNSUPPORTED(texCubemap)
NBODY_UNSUPPORTED(texCubemapLayered)
NBODY_UNSUPPORTED(texCubemapLod)
NBODY_UNSUPPORTED(tex1DGrad)
NBODY_UNSUPPORTED(tex2DGrad)
NBODY_UNSUPPORTED(tex3DGrad)
#undef NBODY_UNSUPPORTED
