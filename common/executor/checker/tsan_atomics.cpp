// The atomics that -fsanitize=thread makes a compiler call, in place of the sanitizer's own.
#include "executor/checker/check.hpp"

using namespace nbody::executor::checker;

namespace {

template <class T>
void* plain(const volatile T* address) {
  return const_cast<T*>(address);
}

/// An update reads its word and writes it.
template <class T>
void checkUpdate(const volatile T* address, const void* code) {
  checkAccess(plain(address), sizeof(T), Action::atomicRead, code);
  checkAccess(plain(address), sizeof(T), Action::atomicWrite, code);
}

template <class T>
int exchangeIfEqual(volatile T* address, T* expected, T value) {
  return __atomic_compare_exchange_n(
      address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

}  // namespace

#define NBODY_CODE __builtin_return_address(0)
#define NBODY_CHECK_UPDATE() checkUpdate(a, NBODY_CODE)
#define NBODY_UPDATE(bits, T, name)                             \
  T __tsan_atomic##bits##_##name(volatile T* a, T value, int) { \
    NBODY_CHECK_UPDATE();                                       \
    return __atomic_##name(a, value, __ATOMIC_SEQ_CST);         \
  }
#define NBODY_ATOMICS(bits, T)                                                                     \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                         \
    checkAccess(plain(a), sizeof(T), Action::atomicRead, NBODY_CODE);                              \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile T* a, T value, int) {                                  \
    checkAccess(plain(a), sizeof(T), Action::atomicWrite, NBODY_CODE);                             \
    __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  T __tsan_atomic##bits##_exchange(volatile T* a, T value, int) {                                  \
    NBODY_CHECK_UPDATE();                                                                          \
    return __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST);                                        \
  }                                                                                                \
  NBODY_UPDATE(bits, T, fetch_add)                                                                 \
  NBODY_UPDATE(bits, T, fetch_sub)                                                                 \
  NBODY_UPDATE(bits, T, fetch_and)                                                                 \
  NBODY_UPDATE(bits, T, fetch_or)                                                                  \
  NBODY_UPDATE(bits, T, fetch_xor)                                                                 \
  NBODY_UPDATE(bits, T, fetch_nand)                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T value, int, int) {     \
    NBODY_CHECK_UPDATE();                                                                          \
    exchangeIfEqual(a, &expected, value);                                                          \
    return expected;                                                                               \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(                                               \
      volatile T* a, T* expected, T value, int, int) {                                             \
    NBODY_CHECK_UPDATE();                                                                          \
    return exchangeIfEqual(a, expected, value);                                                    \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T value, int, int) { \
    NBODY_CHECK_UPDATE();                                                                          \
    return exchangeIfEqual(a, expected, value);                                                    \
  }

extern "C" {
NBODY_ATOMICS(8, std::uint8_t)
NBODY_ATOMICS(16, std::uint16_t)
NBODY_ATOMICS(32, std::uint32_t)
NBODY_ATOMICS(64, std::uint64_t)
}
