/// \file
/// cooperative_groups: reductions and scans in the order of the ranks, and their operations.
#pragma once

#include <atomic>
#include <cstddef>

#include "executor/language/always_inline.hpp"
#include "executor/language/async_copies.hpp"
#include "executor/language/groups/partitions.hpp"

namespace cooperative_groups {

#define NBODY_OPERATION(name, expression)                               \
  template <class T>                                                    \
  struct name {                                                         \
    T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };
NBODY_OPERATION(plus, a + b)
NBODY_OPERATION(less, b < a ? b : a)
NBODY_OPERATION(greater, a < b ? b : a)
NBODY_OPERATION(bit_and, a& b)
NBODY_OPERATION(bit_xor, a ^ b)
NBODY_OPERATION(bit_or, a | b)
#undef NBODY_OPERATION

/// Returns \p operation over the values of all threads of \p group, to every thread.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::reduceMembers({"reduce()", file, line}, group.members(), value,
                                        operation);
}

/// Returns \p operation over the values of ranks 0 to the caller's own.
template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"inclusive_scan()", file, line}, group.members(), value,
                               [&operation](T* const* values, int count) {
                                 for (int i = 1; i < count; ++i)
                                   *values[i] = operation(*values[i - 1], *values[i]);
                               });
}

/// Returns \p operation over the values of ranks below the caller's own; T() for rank 0.
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"exclusive_scan()", file, line}, group.members(), value,
                               [&operation](T* const* values, int count) {
                                 T sum = *values[0];
                                 *values[0] = T();
                                 for (int i = 1; i < count; ++i) {
                                   const T own = *values[i];
                                   *values[i] = sum;
                                   sum = operation(sum, own);
                                 }
                               });
}

template <class Group, class T>
T inclusive_scan(const Group& group, T value, NBODY_SITE) {
  return inclusive_scan(group, value, plus<T>(), file, line);
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, NBODY_SITE) {
  return exclusive_scan(group, value, plus<T>(), file, line);
}

// Reductions and scans whose result goes into an atomic of cuda/atomic. One thread stores or updates.

template <class Group, class Atomic, class T, class Operation>
NBODY_ALWAYS_INLINE void reduce_store_async(const Group& group, Atomic& to, T value,
                                            const Operation& operation, NBODY_SITE) {
  const T sum = reduce(group, value, operation, file, line);
  if (group.thread_rank() == 0) to.store(sum, ::std::memory_order_relaxed);
}
template <class Group, class Atomic, class T, class Operation>
NBODY_ALWAYS_INLINE void reduce_update_async(const Group& group, Atomic& to, T value,
                                             const Operation& operation, NBODY_SITE) {
  const T sum = reduce(group, value, operation, file, line);
  if (group.thread_rank() == 0)
    nbody::executor::atomicUpdate(to.address(), [&](T old) { return operation(old, sum); });
}
/// Also adds the whole sum to the atomic, and its old value to each result.
template <class Group, class Atomic, class T, class Operation>
NBODY_ALWAYS_INLINE T inclusive_scan_update(const Group& group, Atomic& to, T value,
                                            const Operation& operation, NBODY_SITE) {
  const T own = inclusive_scan(group, value, operation, file, line);
  const T sum = reduce(group, value, operation, file, line);
  T before = T();
  if (group.thread_rank() == 0)
    before = nbody::executor::atomicUpdate(to.address(), [&](T x) { return operation(x, sum); });
  return operation(group.shfl(before, 0, file, line), own);
}
template <class Group, class Atomic, class T, class Operation>
NBODY_ALWAYS_INLINE T exclusive_scan_update(const Group& group, Atomic& to, T value,
                                            const Operation& operation, NBODY_SITE) {
  const T own = exclusive_scan(group, value, operation, file, line);
  const T sum = reduce(group, value, operation, file, line);
  T before = T();
  if (group.thread_rank() == 0)
    before = nbody::executor::atomicUpdate(to.address(), [&](T x) { return operation(x, sum); });
  before = group.shfl(before, 0, file, line);
  return group.thread_rank() == 0 ? before : operation(before, own);
}
template <class Group, class Atomic, class T>
NBODY_ALWAYS_INLINE T inclusive_scan_update(const Group& group, Atomic& to, T value, NBODY_SITE) {
  return inclusive_scan_update(group, to, value, plus<T>(), file, line);
}
template <class Group, class Atomic, class T>
NBODY_ALWAYS_INLINE T exclusive_scan_update(const Group& group, Atomic& to, T value, NBODY_SITE) {
  return exclusive_scan_update(group, to, value, plus<T>(), file, line);
}

}  // namespace cooperative_groups

namespace cuda {

// cooperative_groups: copies by all threads of a group. Each copies its share at once. The checker
// reports uses before the wait.

/// A number of bytes, with the promise that the memory is aligned.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  constexpr explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
};

}  // namespace cuda

namespace nbody::executor {

/// Copies the caller's share of a copy by all threads of \p group.
template <class Group>
NBODY_ALWAYS_INLINE void copyShare(const Group& group, void* to, const void* from,
                                   std::size_t bytes, const void* barrier = nullptr) {
  copyWords(to, from, bytes, group.thread_rank(), group.num_threads());
  startCopy(to, bytes, group.thread_rank(), group.num_threads(), barrier);
}

}  // namespace nbody::executor

namespace cooperative_groups {

/// Copies \p bytes bytes, a number or a cuda::aligned_size_t.
template <class Group, class T, class Size>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  nbody::executor::copyShare(group, to, from, static_cast<std::size_t>(bytes));
  nbody::executor::commitCopies();
}

/// Copies as many elements as fit both sides.
template <class Group, class T, class ToCount, class FromCount>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const ToCount& toCount,
                                      const T* from, const FromCount& fromCount) {
  const std::size_t room = static_cast<std::size_t>(toCount),
                    there = static_cast<std::size_t>(fromCount);
  nbody::executor::copyShare(group, to, from, (room < there ? room : there) * sizeof(T));
  nbody::executor::commitCopies();
}

/// Waits for the copies of all threads of \p group.
template <class Group>
void wait(const Group& group, NBODY_SITE) {
  nbody::executor::finishCopies(0);
  group.sync(file, line);
}
/// Waits for all copies except the last \p Stages.
template <unsigned Stages, class Group>
void wait_prior(const Group& group, NBODY_SITE) {
  nbody::executor::finishCopies(Stages);
  group.sync(file, line);
}

}  // namespace cooperative_groups
