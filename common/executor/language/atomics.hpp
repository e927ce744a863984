/// \file
/// Atomic functions of a kernel on the CPU executor.
#pragma once

#include <type_traits>

#include "executor/threads.hpp"

// Inlined always: the checker's reports then name the kernel's line.
#define NBODY_ATOMIC __attribute__((always_inline)) inline

namespace nbody::executor {

/// Replaces *address by change(*address) in one atomic step; returns the value before.
template <class T, class Change>
NBODY_ATOMIC T atomicUpdate(T* address, Change change) {
  T before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  T after = change(before);
  while (!__atomic_compare_exchange(
      address, &before, &after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    after = change(before);
  countAtomic();
  return before;
}

}  // namespace nbody::executor

template <class T>
requires std::is_arithmetic_v<T> NBODY_ATOMIC T atomicAdd(T* address,
                                                          std::type_identity_t<T> value) {
  return nbody::executor::atomicUpdate(address, [&](T before) { return T(before + value); });
}
template <class T>
NBODY_ATOMIC T atomicMax(T* address, std::type_identity_t<T> value) {
  return nbody::executor::atomicUpdate(address, [&](T x) { return x < value ? value : x; });
}
template <class T>
NBODY_ATOMIC T atomicMin(T* address, std::type_identity_t<T> value) {
  return nbody::executor::atomicUpdate(address, [&](T x) { return value < x ? value : x; });
}
template <class T>
NBODY_ATOMIC T atomicExch(T* address, std::type_identity_t<T> value) {
  return nbody::executor::atomicUpdate(address, [&](T) { return value; });
}
template <class T>
NBODY_ATOMIC T atomicCAS(T* address,
                         std::type_identity_t<T> expected,
                         std::type_identity_t<T> value) {
  return nbody::executor::atomicUpdate(address, [&](T x) { return x == expected ? value : x; });
}
/// Four atomics, one for each component: as on a GPU, the vector as a whole is not one step.
template <class T>
requires std::is_same_v<T, float4> || std::is_same_v<T, double4> NBODY_ATOMIC T
atomicAdd(T* address, std::type_identity_t<T> value) {
  return {atomicAdd(&address->x, value.x),
          atomicAdd(&address->y, value.y),
          atomicAdd(&address->z, value.z),
          atomicAdd(&address->w, value.w)};
}
#undef NBODY_ATOMIC
