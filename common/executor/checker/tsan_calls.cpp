// The functions that -fsanitize=thread makes a compiler call, in place of the sanitizer's own.
#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/handover.hpp"

using namespace nbody::executor::checker;

namespace {
void checkCopy(void* to, const void* from, std::size_t bytes, const void* code) {
  checkAccess<Action::read>(from, bytes, code);
  checkAccess<Action::write>(to, bytes, code);
}

/// Whether an atomic of this memory order brings a fence of its own.
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// An update; \p address comes back.
template <class T>
T* checkUpdate(volatile T* address, int order, const void* code) {
  T* const plain = const_cast<T*>(address);
  if (!isWatched()) return plain;
  checkAccess<Action::atomicUpdate>(plain, sizeof(T), code);
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
  checkAccess<Action::atomicWrite>(plain, sizeof(T), code);
  if (releases(order)) passFence();
  handOn(plain);
  return plain;
}
}  // namespace

#define NBODY_CODE __builtin_return_address(0)
#define NBODY_READ(name, bytes) \
  void __tsan_##name##bytes(void* a) { checkRead<bytes>(a, NBODY_CODE); }
#define NBODY_WRITE(name, bytes) \
  void __tsan_##name##bytes(void* a) { checkWrite(a, bytes, NBODY_CODE); }
#define NBODY_ACCESSES(bytes)                  \
  NBODY_READ(read, bytes)                      \
  NBODY_WRITE(write, bytes)                    \
  NBODY_READ(unaligned_read, bytes)            \
  NBODY_WRITE(unaligned_write, bytes)          \
  NBODY_READ(volatile_read, bytes)             \
  NBODY_WRITE(volatile_write, bytes)           \
  NBODY_READ(unaligned_volatile_read, bytes)   \
  NBODY_WRITE(unaligned_volatile_write, bytes) \
  void __tsan_read_write##bytes(void* a) {     \
    checkRead<bytes>(a, NBODY_CODE);           \
    checkWrite(a, bytes, NBODY_CODE);          \
  }

#define NBODY_UPDATE(bits, T, name, builtin)                                    \
  T __tsan_atomic##bits##_##name(volatile T* a, T value, int order) {           \
    return builtin(checkUpdate(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST); \
  }
#define NBODY_FETCH(bits, T, name) NBODY_UPDATE(bits, T, fetch_##name, __atomic_fetch_##name)
#define NBODY_SET_IF(old, value) \
  __atomic_compare_exchange_n(   \
      checkUpdate(a, order, NBODY_CODE), old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define NBODY_COMPARE(bits, T, name)                    \
  int __tsan_atomic##bits##_compare_exchange_##name(    \
      volatile T* a, T* old, T value, int order, int) { \
    return NBODY_SET_IF(old, value);                    \
  }
#define NBODY_ATOMICS(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                      \
    return __atomic_load_n(checkLoad(a, NBODY_CODE), __ATOMIC_SEQ_CST);                         \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {                         \
    __atomic_store_n(checkStore(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST);                \
  }                                                                                             \
  NBODY_UPDATE(bits, T, exchange, __atomic_exchange_n)                                          \
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

NBODY_ACCESSES(1)
NBODY_ACCESSES(2)
NBODY_ACCESSES(4)
NBODY_ACCESSES(8)
NBODY_ACCESSES(16)

void __tsan_read_range(void* a, std::size_t bytes) {
  checkAccess<Action::read>(a, bytes, NBODY_CODE);
}
void __tsan_write_range(void* a, std::size_t bytes) {
  checkAccess<Action::write>(a, bytes, NBODY_CODE);
}
// The link sends all calls of memcpy and its like here; copies by the host are not checked.
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  checkCopy(to, from, bytes, NBODY_CODE);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  checkCopy(to, from, bytes, NBODY_CODE);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  checkAccess<Action::write>(to, bytes, NBODY_CODE);
  return __real_memset(to, value, bytes);
}
#define NBODY_ALIAS(name) __attribute__((alias("__wrap_" name)))
void* __tsan_memcpy(void*, const void*, std::size_t) NBODY_ALIAS("memcpy");
void* __tsan_memmove(void*, const void*, std::size_t) NBODY_ALIAS("memmove");
void* __tsan_memset(void*, int, std::size_t) NBODY_ALIAS("memset");

// A constructor writes the address of its class's virtual table.
void __tsan_vptr_update(void** a, void*) {
  checkAccess<Action::write>(a, sizeof(void*), NBODY_CODE);
}
void __tsan_vptr_read(void** a) { checkAccess<Action::read>(a, sizeof(void*), NBODY_CODE); }

void __tsan_atomic_thread_fence(int) {
  if (isWatched()) passFence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// Nothing to check: calls.
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
