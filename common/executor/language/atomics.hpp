/// \file
/// CUDA's atomic functions for the types that CUDA supports.
///
/// _block and _system name the threads for which the update is atomic. Here it is atomic for all
/// threads, and the checker knows the scope.
#pragma once

#include "executor/language/always_inline.hpp"
#include "executor/language/vector_types.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Tells the checker whether the next atomics and fences of the running thread have block scope.
void setScope(bool isBlock);

/// Gives atomics and fences block scope during its life.
struct BlockScope {
  NBODY_ALWAYS_INLINE BlockScope() { setScope(true); }
  NBODY_ALWAYS_INLINE ~BlockScope() { setScope(false); }
  BlockScope(const BlockScope&) = delete;
};
struct WideScope {};

/// Replaces *address by change(*address, with...) in one atomic step. Returns the old value.
template <class T, class Change, class... With>
NBODY_ALWAYS_INLINE T atomicUpdate(T* address, Change change, With... with) {
  T before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  T after = change(before, with...);
  while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
    after = change(before, with...);
  countAtomic(__builtin_memcmp(&before, &after, sizeof before) != 0);
  return before;
}

template <class T>
NBODY_ALWAYS_INLINE T exchange(T* address, T value) {
  constexpr T kFree{};
  const bool isTaken = __builtin_memcmp(&value, &kFree, sizeof value) != 0;
  if (isTaken) beforeLock(address);
  T before;
  __atomic_exchange(address, &value, &before, __ATOMIC_RELAXED);
  if (isTaken && __builtin_memcmp(&before, &kFree, sizeof value) == 0)
    afterLock(address, &value, sizeof value);
  countAtomic(__builtin_memcmp(&before, &value, sizeof before) != 0);
  return before;
}

/// The memory order distinguishes this from the steps of atomicUpdate() for the checker.
template <class T>
NBODY_ALWAYS_INLINE T compareAndSwap(T* address, T expected, T value) {
  beforeLock(address);
  const bool isSet = __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_ACQUIRE,
                                               __ATOMIC_RELAXED);
  const bool changes = isSet && __builtin_memcmp(&expected, &value, sizeof value) != 0;
  if (changes) afterLock(address, &value, sizeof value);
  countAtomic(changes);
  return expected;
}

}  // namespace nbody::executor

// A function for each of CUDA's three scopes.
#define NBODY_SCOPE(name, T, parameters, result, Scope)  \
  NBODY_ALWAYS_INLINE T name parameters {                \
    [[maybe_unused]] const nbody::executor::Scope scope; \
    return result;                                       \
  }
#define NBODY_SCOPES(name, T, parameters, result)              \
  NBODY_SCOPE(name, T, parameters, result, WideScope)          \
  NBODY_SCOPE(name##_block, T, parameters, result, BlockScope) \
  NBODY_SCOPE(name##_system, T, parameters, result, WideScope)

// In one step, *address becomes the expression of its value x and of v. Returns x. The change gets v
// as an argument: of a captured v that was never written, the checker would not know the name.
#define NBODY_ATOMIC(name, T, expression)   \
  NBODY_SCOPES(name, T, (T * address, T v), \
               nbody::executor::atomicUpdate(address, [](T x, T v) -> T { return expression; }, v))
#define NBODY_ATOMIC_32(name, expression) \
  NBODY_ATOMIC(name, int, expression)     \
  NBODY_ATOMIC(name, unsigned, expression)
#define NBODY_ATOMIC_INTEGERS(name, expression) \
  NBODY_ATOMIC_32(name, expression)             \
  NBODY_ATOMIC(name, unsigned long long, expression)
// Sums of int wrap around.
NBODY_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(v)))
NBODY_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(x) - static_cast<unsigned>(v)))
NBODY_ATOMIC(atomicAdd, unsigned, x + v)
NBODY_ATOMIC(atomicSub, unsigned, x - v)
NBODY_ATOMIC(atomicAdd, unsigned long long, x + v)
NBODY_ATOMIC(atomicAdd, float, x + v)
NBODY_ATOMIC(atomicAdd, double, x + v)
NBODY_ATOMIC_INTEGERS(atomicMin, v < x ? v : x)
NBODY_ATOMIC(atomicMin, long long, v < x ? v : x)
NBODY_ATOMIC_INTEGERS(atomicMax, x < v ? v : x)
NBODY_ATOMIC(atomicMax, long long, x < v ? v : x)
NBODY_ATOMIC_INTEGERS(atomicAnd, x& v)
NBODY_ATOMIC_INTEGERS(atomicOr, x | v)
NBODY_ATOMIC_INTEGERS(atomicXor, x ^ v)
/// Counts up to \p v, then starts again at 0.
NBODY_ATOMIC(atomicInc, unsigned, x >= v ? 0 : x + 1)
/// Counts down to 0, then starts again at \p v.
NBODY_ATOMIC(atomicDec, unsigned, x == 0 || x > v ? v : x - 1)
#undef NBODY_ATOMIC_INTEGERS
#undef NBODY_ATOMIC_32

/// Sets *address to \p v. Returns the old value.
#define NBODY_EXCHANGE(T) \
  NBODY_SCOPES(atomicExch, T, (T * address, T v), nbody::executor::exchange(address, v))
NBODY_EXCHANGE(int)
NBODY_EXCHANGE(unsigned)
NBODY_EXCHANGE(unsigned long long)
NBODY_EXCHANGE(float)
#undef NBODY_EXCHANGE

/// Sets *address to \p value if it is \p expected. Returns the old value.
#define NBODY_CAS(T)                                             \
  NBODY_SCOPES(atomicCAS, T, (T * address, T expected, T value), \
               nbody::executor::compareAndSwap(address, expected, value))
NBODY_CAS(int)
NBODY_CAS(unsigned)
NBODY_CAS(unsigned long long)
NBODY_CAS(unsigned short)
#undef NBODY_CAS

// Uses one atomic per component, because the whole vector is not one step on a GPU.
NBODY_ALWAYS_INLINE float2 atomicAdd(float2* address, float2 v) {
  return {atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y)};
}
#define NBODY_ATOMIC_ADD_4(T)                                                                      \
  NBODY_ALWAYS_INLINE T atomicAdd(T* address, T v) {                                               \
    return {atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y), atomicAdd(&address->z, v.z), \
            atomicAdd(&address->w, v.w)};                                                          \
  }
NBODY_ATOMIC_ADD_4(float4)
NBODY_ATOMIC_ADD_4(double4)
#undef NBODY_ATOMIC_ADD_4
