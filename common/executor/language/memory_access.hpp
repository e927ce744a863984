/// \file
/// Loads and stores with a cache hint, which has no effect here, and address spaces. The executor
/// has only one address space.
#pragma once

#include <cstddef>

#include "executor/language/always_inline.hpp"

namespace nbody::executor {
/// T, in a place where a template must not deduce it.
template <class T>
struct Same {
  using Type = T;
};
}  // namespace nbody::executor

#define NBODY_LOAD(name)                         \
  template <class T>                             \
  NBODY_ALWAYS_INLINE T name(const T* address) { \
    return *address;                             \
  }
NBODY_LOAD(__ldg)
NBODY_LOAD(__ldcg)
NBODY_LOAD(__ldca)
NBODY_LOAD(__ldcs)
NBODY_LOAD(__ldlu)
NBODY_LOAD(__ldcv)
#undef NBODY_LOAD

#define NBODY_STORE(name)                                                                    \
  template <class T>                                                                         \
  NBODY_ALWAYS_INLINE void name(T* address, typename nbody::executor::Same<T>::Type value) { \
    *address = value;                                                                        \
  }
NBODY_STORE(__stwb)
NBODY_STORE(__stcg)
NBODY_STORE(__stcs)
NBODY_STORE(__stwt)
#undef NBODY_STORE

#define NBODY_ADDRESS_SPACE(space)                                                 \
  NBODY_ALWAYS_INLINE std::size_t __cvta_generic_to_##space(const void* address) { \
    return reinterpret_cast<std::size_t>(address);                                 \
  }                                                                                \
  NBODY_ALWAYS_INLINE void* __cvta_##space##_to_generic(std::size_t address) {     \
    return reinterpret_cast<void*>(address);                                       \
  }
NBODY_ADDRESS_SPACE(global)
NBODY_ADDRESS_SPACE(shared)
NBODY_ADDRESS_SPACE(constant)
NBODY_ADDRESS_SPACE(local)
#undef NBODY_ADDRESS_SPACE
