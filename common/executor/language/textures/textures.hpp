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
NBODY_FETCH(tex1D, (float x), (x), (1, x, 0))
NBODY_FETCH(tex2D, (float x, float y), (x, y), (2, x, y))
#undef NBODY_UNBRACKETED
#undef NBODY_FETCH
