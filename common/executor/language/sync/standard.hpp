/// \file
/// cuda::std: the standard library's names, with CUDA's atomic.
#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include "executor/language/atomics.hpp"

namespace cuda {

// cuda: the threads for which the objects of this folder work. On the executor all scopes are the
// same, but the checker distinguishes that of a block.

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

namespace nbody_detail {
/// Tells the checker the scope of the running thread's actions during its life.
template <thread_scope Scope>
using ScopeOf = ::std::conditional_t<Scope >= thread_scope_block, nbody::executor::BlockScope,
                                     nbody::executor::WideScope>;
}  // namespace nbody_detail

// cuda::atomic and cuda::atomic_ref.

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (scope >= thread_scope_block) nbody::executor::setScope(true);
  ::std::atomic_thread_fence(order);
  nbody::executor::setScope(false);
}

namespace nbody_detail {

/// Functions of both classes; Derived has address(). Every update is sequentially consistent: for
/// the checker it is a fence and an atomic function.
template <class Derived, class T, thread_scope Scope>
class AtomicFunctions {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  bool is_lock_free() const { return is_always_lock_free; }

  NBODY_ALWAYS_INLINE T load(memory_order order = memory_order_seq_cst) const {
    [[maybe_unused]] const ScopeOf<Scope> scope;
    T value;
    __atomic_load(address(), &value, __ATOMIC_RELAXED);
    nbody::executor::countAtomic();
    if (order != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return value;
  }
  NBODY_ALWAYS_INLINE void store(T value, memory_order order = memory_order_seq_cst) const {
    [[maybe_unused]] const ScopeOf<Scope> scope;
    if (order != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_store(address(), &value, __ATOMIC_RELAXED);
  }
  NBODY_ALWAYS_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) const {
    return update(order, [&](T) { return value; });
  }
  NBODY_ALWAYS_INLINE bool compare_exchange_strong(T& expected, T value,
                                                   memory_order order = memory_order_seq_cst,
                                                   memory_order = memory_order_seq_cst) const {
    [[maybe_unused]] const ScopeOf<Scope> scope;
    if (order != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    nbody::executor::beforeLock(address());
    const bool isSet = __atomic_compare_exchange(address(), &expected, &value, false,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    const bool changes = isSet && __builtin_memcmp(&expected, &value, sizeof value) != 0;
    if (changes) nbody::executor::afterLock(address(), &value, sizeof value);
    nbody::executor::countAtomic(changes);
    return isSet;
  }
  NBODY_ALWAYS_INLINE bool compare_exchange_weak(T& expected, T value,
                                                 memory_order order = memory_order_seq_cst,
                                                 memory_order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }

  // Each returns the old value; those that are operators too, the new one.
#define NBODY_FETCH(name, expression)                                                              \
  template <class Operand = T>                                                                     \
  NBODY_ALWAYS_INLINE T fetch_##name(Operand v, memory_order order = memory_order_seq_cst) const { \
    return update(order, [&](T x) { return static_cast<T>(expression); });                         \
  }
#define NBODY_OPERATOR(name, operation)                 \
  NBODY_FETCH(name, x operation v)                      \
  template <class Operand>                              \
  T operator operation##=(Operand v) const {            \
    return static_cast<T>(fetch_##name(v) operation v); \
  }
  NBODY_OPERATOR(add, +)
  NBODY_OPERATOR(sub, -)
  NBODY_OPERATOR(and, &)
  NBODY_OPERATOR(or, |)
  NBODY_OPERATOR(xor, ^)
  NBODY_FETCH(min, static_cast<T>(v) < x ? static_cast<T>(v) : x)
  NBODY_FETCH(max, x < static_cast<T>(v) ? static_cast<T>(v) : x)
#undef NBODY_OPERATOR
#undef NBODY_FETCH

  operator T() const { return load(); }
  T operator++() const { return *this += 1; }
  T operator--() const { return *this -= 1; }
  T operator++(int) const { return fetch_add(1); }
  T operator--(int) const { return fetch_sub(1); }

  /// Waits until the value differs from \p old.
  void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) nbody::executor::yieldThread();
  }
  void notify_one() const {}
  void notify_all() const {}

 private:
  T* address() const { return static_cast<const Derived*>(this)->address(); }
  template <class Change>
  NBODY_ALWAYS_INLINE T update(memory_order order, const Change& change) const {
    [[maybe_unused]] const ScopeOf<Scope> scope;
    if (order != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return nbody::executor::atomicUpdate(address(), change);
  }
};

}  // namespace nbody_detail

/// A value that only atomic functions access.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public nbody_detail::AtomicFunctions<atomic<T, Scope>, T, Scope> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T operator=(T value) {
    this->store(value);
    return value;
  }
  T* address() const { return &value_; }

 private:
  alignas(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T)
                                                               : alignof(T)) mutable T value_;
};

/// Atomic functions for a plain variable, which must outlive the object.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public nbody_detail::AtomicFunctions<atomic_ref<T, Scope>, T, Scope> {
 public:
  explicit atomic_ref(T& value) : value_(&value) {}
  T operator=(T value) const {
    this->store(value);
    return value;
  }
  T* address() const { return value_; }

 private:
  T* value_;
};

namespace std {

using namespace ::std;  // declarations here hide the same names there

template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;

#if __cplusplus < 202002L
struct identity {
  template <class T>
  constexpr T&& operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};
#endif

}  // namespace std
}  // namespace cuda
