/// \file
/// Scans over a block or a warp, of one value a thread or several.
#pragma once

#include "cub/detail/collective.cuh"
#include "cub/operators.cuh"

namespace cub {
namespace detail {

/// A thread's values, and what the scan tells every thread.
template <class T, int Items>
struct ScanItems {
  T items[Items];
  T total;
};

/// Scans the values of all \p members, those of a thread one after the other; an exclusive scan
/// begins with \p start, or, where that is null, with T() for the first value.
template <int Items, int Threads, class T, class Operation>
NBODY_ALWAYS_INLINE T scan(Storage<Threads>* storage,
                           Site site,
                           Members members,
                           unsigned rank,
                           const T (&in)[Items],
                           T (&out)[Items],
                           const Operation& operation,
                           const T* start,
                           bool exclusive) {
  ScanItems<T, Items> own;
  for (int i = 0; i < Items; ++i) own.items[i] = in[i];
  own.total = in[0];
  const auto work = [&operation, start, exclusive](ScanItems<T, Items>* const* all, int count) {
    T sum = start != nullptr ? *start : all[0]->items[0], total = all[0]->items[0];
    for (int i = 0; i < count * Items; ++i) {
      T& item = all[i / Items]->items[i % Items];
      const T value = item;
      if (i > 0) total = operation(total, value);
      if (exclusive) item = i == 0 && start == nullptr ? T() : sum;
      if (i > 0 || start != nullptr) sum = operation(sum, value);
      if (!exclusive) item = sum;
    }
    for (int i = 0; i < count; ++i) all[i]->total = total;
  };
  own = meetBy(storage, site, members, rank, own, work);
  for (int i = 0; i < Items; ++i) out[i] = own.items[i];
  return own.total;
}

}  // namespace detail
}  // namespace cub

/// The scans of a class that has storage_, members(), rank() and the type T.
#define NBODY_CUB_SCANS(what)                                                                      \
  NBODY_ALWAYS_INLINE void InclusiveSum(T in, T& out, NBODY_SITE) {                                \
    run(in, out, Sum(), nullptr, false, {what, file, line});                                       \
  }                                                                                                \
  NBODY_ALWAYS_INLINE void InclusiveSum(T in, T& out, T& total, NBODY_SITE) {                      \
    total = run(in, out, Sum(), nullptr, false, {what, file, line});                               \
  }                                                                                                \
  NBODY_ALWAYS_INLINE void ExclusiveSum(T in, T& out, NBODY_SITE) {                                \
    const T zero = T();                                                                            \
    run(in, out, Sum(), &zero, true, {what, file, line});                                          \
  }                                                                                                \
  NBODY_ALWAYS_INLINE void ExclusiveSum(T in, T& out, T& total, NBODY_SITE) {                      \
    const T zero = T();                                                                            \
    total = run(in, out, Sum(), &zero, true, {what, file, line});                                  \
  }                                                                                                \
  template <class Operation>                                                                       \
  NBODY_ALWAYS_INLINE void InclusiveScan(T in, T& out, Operation operation, NBODY_SITE) {          \
    run(in, out, operation, nullptr, false, {what, file, line});                                   \
  }                                                                                                \
  template <class Operation>                                                                       \
  NBODY_ALWAYS_INLINE void InclusiveScan(                                                          \
      T in, T& out, Operation operation, T& total, NBODY_SITE) {                                   \
    total = run(in, out, operation, nullptr, false, {what, file, line});                           \
  }                                                                                                \
  template <class Operation>                                                                       \
  NBODY_ALWAYS_INLINE void ExclusiveScan(T in, T& out, T start, Operation operation, NBODY_SITE) { \
    run(in, out, operation, &start, true, {what, file, line});                                     \
  }                                                                                                \
  template <class Operation>                                                                       \
  NBODY_ALWAYS_INLINE void ExclusiveScan(                                                          \
      T in, T& out, T start, Operation operation, T& total, NBODY_SITE) {                          \
    total = run(in, out, operation, &start, true, {what, file, line});                             \
  }                                                                                                \
  template <class Operation>                                                                       \
  NBODY_ALWAYS_INLINE void ExclusiveScan(T in, T& out, Operation operation, NBODY_SITE) {          \
    run(in, out, operation, nullptr, true, {what, file, line});                                    \
  }
