// The functions that -fsanitize=thread makes a compiler call for atomics and fences, instead of the
// sanitizer's own.
#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/counts.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"

using namespace nbody::executor::checker;

namespace {
/// Whether an atomic of this memory order brings its own fence.
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// An update, or an exchange, which as the first access writes; \p address comes back.
template <Action kAction = Action::atomicUpdate, class T>
T* checkUpdate(volatile T* address, int order, const void* code) {
  T* const plain = const_cast<T*>(address);
  if (!isWatched()) return plain;
  count(plain, sizeof(T), Access::atomic, code);
  checkAccess<kAction>(plain, sizeof(T), code);
  if (releases(order)) passFence();
  handOn(plain);
  takeOver(plain);
  return plain;
}

template <class T>
T* checkLoad(const volatile T* address, const void* code) {
  T* const plain = const_cast<T*>(address);
  if (!isWatched()) return plain;
  checkAccess<Action::atomicRead>(plain, sizeof(T), code);
  takeOver(plain);
  return plain;
}

template <class T>
T* checkStore(volatile T* address, int order, const void* code) {
  T* const plain = const_cast<T*>(address);
  if (!isWatched()) return plain;
  count(plain, sizeof(T), Access::store, code);
  checkAccess<Action::atomicWrite>(plain, sizeof(T), code);
  if (releases(order)) passFence();
  handOn(plain);
  return plain;
}

/// A compare-and-swap. That of a kernel's author has another \p order than the one that the language's
/// updates are made of (atomics.hpp).
template <class T>
T* checkSwap(volatile T* address, int order, const void* code) {
  if (order != __ATOMIC_RELAXED && isWatched()) forgiveReads(const_cast<T*>(address), sizeof(T));
  return checkUpdate(address, order, code);
}
}  // namespace

#define NBODY_CODE __builtin_return_address(0)
#define NBODY_UPDATE(bits, T, name, builtin)                                    \
  T __tsan_atomic##bits##_##name(volatile T* a, T value, int order) {           \
    return builtin(checkUpdate(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST); \
  }
#define NBODY_EXCHANGE(bits, T)                                              \
  T __tsan_atomic##bits##_exchange(volatile T* a, T value, int order) {      \
    T* const plain = checkUpdate<Action::atomicWrite>(a, order, NBODY_CODE); \
    return __atomic_exchange_n(plain, value, __ATOMIC_SEQ_CST);              \
  }
#define NBODY_FETCH(bits, T, name) NBODY_UPDATE(bits, T, fetch_##name, __atomic_fetch_##name)
#define NBODY_SET_IF(old, value)                                                  \
  __atomic_compare_exchange_n(checkSwap(a, order, NBODY_CODE), old, value, false, \
                              __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define NBODY_COMPARE(bits, T, name)                                                           \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* a, T* old, T value, int order, \
                                                    int) {                                     \
    return NBODY_SET_IF(old, value);                                                           \
  }
#define NBODY_ATOMICS(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                      \
    return __atomic_load_n(checkLoad(a, NBODY_CODE), __ATOMIC_SEQ_CST);                         \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {                         \
    __atomic_store_n(checkStore(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST);                \
  }                                                                                             \
  NBODY_EXCHANGE(bits, T)                                                                       \
  NBODY_FETCH(bits, T, add)                                                                     \
  NBODY_FETCH(bits, T, sub)                                                                     \
  NBODY_FETCH(bits, T, and)                                                                     \
  NBODY_FETCH(bits, T, or)                                                                      \
  NBODY_FETCH(bits, T, xor)                                                                     \
  NBODY_FETCH(bits, T, nand)                                                                    \
  NBODY_COMPARE(bits, T, strong)                                                                \
  NBODY_COMPARE(bits, T, weak)                                                                  \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T old, T value, int order, int) { \
    NBODY_SET_IF(&old, value);                                                                  \
    return old;                                                                                 \
  }

extern "C" {

NBODY_ATOMICS(8, std::uint8_t)
NBODY_ATOMICS(16, std::uint16_t)
NBODY_ATOMICS(32, std::uint32_t)
NBODY_ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) {
  if (isWatched()) passFence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
