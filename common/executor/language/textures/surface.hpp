/// \file
/// Surface objects: a kernel's reads and writes of CUDA's arrays. Their x is in bytes.
#pragma once

#include <cstddef>

#include "executor/language/always_inline.hpp"

/// Handle of a surface object, as a program passes it to kernels.
typedef unsigned long long cudaSurfaceObject_t;
/// Tells what an access outside of the array does. With zero, it reads 0 and writes nothing.
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace nbody::executor {
/// Returns the address of \p bytes bytes of an array; null if they are outside and the mode is zero.
/// Ends the kernel if there is no such object or place.
char* surfaceAddress(cudaSurfaceObject_t object, int x, int y, int bytes,
                     cudaSurfaceBoundaryMode mode);
}  // namespace nbody::executor

// CUDA's accesses. A read returns a value, or writes it to its first argument.
#define NBODY_SURFACE(name, parameters, arguments, row)                                       \
  template <class T>                                                                          \
  NBODY_ALWAYS_INLINE T name##read(cudaSurfaceObject_t object, NBODY_UNBRACKETED parameters,  \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    const char* const at = nbody::executor::surfaceAddress(object, x, row, sizeof(T), mode);  \
    return at == nullptr ? T() : *reinterpret_cast<const T*>(at);                             \
  }                                                                                           \
  template <class T>                                                                          \
  NBODY_ALWAYS_INLINE void name##read(T* value, cudaSurfaceObject_t object,                   \
                                      NBODY_UNBRACKETED parameters,                           \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *value = name##read<T>(object, NBODY_UNBRACKETED arguments, mode);                        \
  }                                                                                           \
  template <class T>                                                                          \
  NBODY_ALWAYS_INLINE void name##write(T value, cudaSurfaceObject_t object,                   \
                                       NBODY_UNBRACKETED parameters,                          \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    char* const at = nbody::executor::surfaceAddress(object, x, row, sizeof(T), mode);        \
    if (at != nullptr) *reinterpret_cast<T*>(at) = value;                                     \
  }
#define NBODY_UNBRACKETED(...) __VA_ARGS__
NBODY_SURFACE(surf1D, (int x), (x), 0)
NBODY_SURFACE(surf2D, (int x, int y), (x, y), y)
#undef NBODY_UNBRACKETED
#undef NBODY_SURFACE
