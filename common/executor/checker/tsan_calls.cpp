// Functions that compilers call with -fsanitize=thread for loads, stores, atomics and fences. They
// replace the sanitizer's own.
#include <utility>

#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/counts.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/handover.hpp"
#include "executor/checker/locate.hpp"

using namespace nbody::executor::checker;

namespace {
bool isInArray(const void* address) {
  const Pause pause;
  return arrayAround(static_cast<const char*>(address)) != nullptr;
}

/// Checks a copy. A copy to a local variable is a use, because its written bytes are unknown.
void checkCopy(void* to, const void* from, std::size_t bytes, const void* code) {
  count(from, bytes, Access::load, code);
  count(to, bytes, Access::store, code);
  if (!isWatched() || running.stack.holds(to) || !isInArray(to)) {
    checkAccess<Action::read>(from, bytes, code);
    checkAccess<Action::write>(to, bytes, code);
    return;
  }
  checkAccess<Action::copyFrom>(from, bytes, code);
  checkAccess<Action::copyTo>(to, bytes, code);
  const Pause pause;
  copyWritten(to, from, bytes);
}

/// Checks a read that may be of the address of a function, after the check of the access.
template <std::size_t bytes>
void checkPointer(const void* a, const void* code) {
  if constexpr (bytes == sizeof(void*))
    if (someCodeIsHosts) [[unlikely]]
      checkHostCode(a, code);
}

/// Returns whether a volatile access may be one of a flag, and not one of a local variable.
bool isFlag(const void* address) {
  return running.watch == Watch::races && !running.stack.holds(address);
}
void noteFlag(const void* code) {
  static thread_local const void* known[64];
  const void*& last = known[reinterpret_cast<std::uintptr_t>(code) / 4 % 64];
  if (std::exchange(last, code) != code) noteVolatile(offsetInProgram(code));
}

template <class... Results>
void checkResults(const void* code, Results*... results) {
  (checkWrite<sizeof *results>(results, code), ...);
}
}  // namespace

#define NBODY_CODE __builtin_return_address(0)
#define NBODY_READ(name, bytes)                \
  void __tsan_##name##bytes(void* a) {         \
    count(a, bytes, Access::load, NBODY_CODE); \
    checkRead<bytes>(a, NBODY_CODE);           \
    checkPointer<bytes>(a, NBODY_CODE);        \
  }
#define NBODY_WRITE(name, bytes)                \
  void __tsan_##name##bytes(void* a) {          \
    count(a, bytes, Access::store, NBODY_CODE); \
    checkWrite<bytes>(a, NBODY_CODE);           \
  }
// A GPU treats a volatile access like a relaxed atomic. So it can be a flag that hands memory over.
#define NBODY_VOLATILE(prefix, bytes)                    \
  void __tsan_##prefix##volatile_read##bytes(void* a) {  \
    count(a, bytes, Access::load, NBODY_CODE);           \
    if (isFlag(a)) noteFlag(NBODY_CODE);                 \
    checkRead<bytes>(a, NBODY_CODE);                     \
    if (isFlag(a)) takeOverLater(a);                     \
    checkPointer<bytes>(a, NBODY_CODE);                  \
  }                                                      \
  void __tsan_##prefix##volatile_write##bytes(void* a) { \
    count(a, bytes, Access::store, NBODY_CODE);          \
    if (isFlag(a)) noteFlag(NBODY_CODE), handOn(a);      \
    checkWrite<bytes>(a, NBODY_CODE);                    \
  }
#define NBODY_ACCESSES(bytes)                   \
  NBODY_READ(read, bytes)                       \
  NBODY_WRITE(write, bytes)                     \
  NBODY_READ(unaligned_read, bytes)             \
  NBODY_WRITE(unaligned_write, bytes)           \
  NBODY_VOLATILE(, bytes)                       \
  NBODY_VOLATILE(unaligned_, bytes)             \
  void __tsan_read_write##bytes(void* a) {      \
    count(a, bytes, Access::load, NBODY_CODE);  \
    count(a, bytes, Access::store, NBODY_CODE); \
    checkRead<bytes>(a, NBODY_CODE);            \
    checkWrite<bytes>(a, NBODY_CODE);           \
  }

extern "C" {

NBODY_ACCESSES(1)
NBODY_ACCESSES(2)
NBODY_ACCESSES(4)
NBODY_ACCESSES(8)
NBODY_ACCESSES(16)

/// Structs of three numbers, and unaligned numbers.
void __tsan_read_range(void* a, std::size_t bytes) {
  count(a, bytes, Access::load, NBODY_CODE);
  if (bytes == 12) checkRead<12>(a, NBODY_CODE);
  else if (bytes == 16) checkRead<16>(a, NBODY_CODE);
  else if (bytes == 8) checkRead<8>(a, NBODY_CODE);
  else checkAccess<Action::read>(a, bytes, NBODY_CODE);
}
void __tsan_write_range(void* a, std::size_t bytes) {
  count(a, bytes, Access::store, NBODY_CODE);
  if (bytes == 12) checkWrite<12>(a, NBODY_CODE);
  else checkAccess<Action::write>(a, bytes, NBODY_CODE);
}
// nvcc/checker_plugin.cpp inserts calls of these functions.
void nbodyReadPadding(const void* a, std::uint64_t padding) { readPadding(a, padding, NBODY_CODE); }
void nbodySetPiece(std::uint64_t bytes) { running.mostPiece = static_cast<std::uint8_t>(bytes); }
void nbodyBranch(std::uint64_t way) {
  if (running.counts) [[unlikely]]
    recordBranch(way, NBODY_CODE);
}
// The linker directs all calls of memcpy and similar here. Copies by the host are not checked.
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

// Functions with more results, behind their last pointers, which the library writes without
// instrumentation.
#define NBODY_RESULTS(T, name, parameters, arguments, ...) \
  T __real_##name parameters;                              \
  T __wrap_##name parameters {                             \
    checkResults(NBODY_CODE, __VA_ARGS__);                 \
    return __real_##name arguments;                        \
  }
NBODY_RESULTS(double, modf, (double x, double* whole), (x, whole), whole)
NBODY_RESULTS(float, modff, (float x, float* whole), (x, whole), whole)
NBODY_RESULTS(double, frexp, (double x, int* exponent), (x, exponent), exponent)
NBODY_RESULTS(float, frexpf, (float x, int* exponent), (x, exponent), exponent)
NBODY_RESULTS(double, remquo, (double x, double y, int* quotient), (x, y, quotient), quotient)
NBODY_RESULTS(float, remquof, (float x, float y, int* quotient), (x, y, quotient), quotient)
NBODY_RESULTS(void, sincos, (double x, double* sine, double* cosine), (x, sine, cosine), sine,
              cosine)
NBODY_RESULTS(void, sincosf, (float x, float* sine, float* cosine), (x, sine, cosine), sine, cosine)

#define NBODY_ALIAS(name) __attribute__((alias("__wrap_" name)))
void* __tsan_memcpy(void*, const void*, std::size_t) NBODY_ALIAS("memcpy");
void* __tsan_memmove(void*, const void*, std::size_t) NBODY_ALIAS("memmove");
void* __tsan_memset(void*, int, std::size_t) NBODY_ALIAS("memset");

// A constructor writes the address of its class's virtual table.
void __tsan_vptr_update(void** a, void* table) {
  checkAccess<Action::write>(a, sizeof(void*), NBODY_CODE);
  setVirtualTable(a, table);
}
void __tsan_vptr_read(void** a) {
  checkAccess<Action::read>(a, sizeof(void*), NBODY_CODE);
  checkPointer<sizeof(void*)>(a, NBODY_CODE);
}

// Calls without a check.
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

}  // extern "C"

namespace {
/// Returns whether an atomic of this memory order contains a fence.
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// Checks an update, or an exchange, which writes like a first access. Returns \p address.
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

/// A relaxed load takes over nothing until the thread's next fence.
template <class T>
T* checkLoad(const volatile T* address, int order, const void* code) {
  T* const plain = const_cast<T*>(address);
  if (!isWatched()) return plain;
  count(plain, sizeof(T), Access::atomicLoad, code);
  checkAccess<Action::atomicRead>(plain, sizeof(T), code);
  if (order == __ATOMIC_RELAXED) takeOverLater(plain);
  else takeOver(plain);
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

/// Checks a compare-and-swap. The kernel author's own has another \p order than the one in the
/// language's updates (atomics.hpp).
template <class T>
T* checkSwap(volatile T* address, T expected, int order, const void* code) {
  if (order != __ATOMIC_RELAXED && isWatched()) {
    forgiveReads(const_cast<T*>(address), sizeof(T));
    noteSwap(offsetInProgram(code), expected);
  }
  return checkUpdate(address, order, code);
}
}  // namespace

#define NBODY_FETCH(bits, T, name)                                                            \
  T __tsan_atomic##bits##_fetch_##name(volatile T* a, T value, int order) {                   \
    return __atomic_fetch_##name(checkUpdate(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST); \
  }
#define NBODY_SET_IF(old, value)                                                          \
  __atomic_compare_exchange_n(checkSwap(a, *(old), order, NBODY_CODE), old, value, false, \
                              __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define NBODY_COMPARE(bits, T, name)                                                           \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* a, T* old, T value, int order, \
                                                    int) {                                     \
    return NBODY_SET_IF(old, value);                                                           \
  }
#define NBODY_ATOMICS(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* a, int order) {                                \
    return __atomic_load_n(checkLoad(a, order, NBODY_CODE), __ATOMIC_SEQ_CST);                  \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {                         \
    __atomic_store_n(checkStore(a, order, NBODY_CODE), value, __ATOMIC_SEQ_CST);                \
  }                                                                                             \
  T __tsan_atomic##bits##_exchange(volatile T* a, T value, int order) {                         \
    T* const plain = checkUpdate<Action::atomicWrite>(a, order, NBODY_CODE);                    \
    return __atomic_exchange_n(plain, value, __ATOMIC_SEQ_CST);                                 \
  }                                                                                             \
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
