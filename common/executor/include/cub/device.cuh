/// \file
/// CUB's functions for the whole device: sorts, reductions and scans.
#pragma once

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "cub/operators.cuh"
#include "executor/language/libraries/ranges.hpp"
#include "executor/runtime/api.hpp"
#include "executor/runtime/host_view.hpp"

namespace cub {

// CUB's protocol of two calls: the first returns the bytes of temporary storage, the second works.
namespace detail {

using nbody::executor::Caller;

template <class Iterator>
using ValueOf = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;

/// Returns the bytes of storage for \p items items. Not 0, so that a program that forgets the
/// storage is noticed.
inline std::size_t storageFor(std::ptrdiff_t items) {
  return 256 + static_cast<std::size_t>(items > 0 ? items : 0) / 64 * 8;
}

/// Sets \p bytes if \p storage is null. Otherwise runs \p work as an operation of \p stream.
template <class Work>
cudaError_t call(void* storage, std::size_t& bytes, std::ptrdiff_t items, cudaStream_t stream,
                 const char* name, const Caller& caller, Work work) {
  if (storage == nullptr) {
    bytes = storageFor(items);
    return cudaSuccess;
  }
  if (items < 0 || bytes < storageFor(items)) return cudaErrorInvalidValue;
  nbody::executor::runOpened(stream, name, caller, work);
  return cudaSuccess;
}

}  // namespace detail

struct DeviceRadixSort {
#define NBODY_SORTS(suffix, descends)                                                              \
  template <class Key, class Value>                                                                \
  static cudaError_t SortPairs##suffix(                                                            \
      void* storage, std::size_t& bytes, const Key* keysIn, Key* keysOut, const Value* valuesIn,   \
      Value* valuesOut, std::ptrdiff_t count, int beginBit = 0, int endBit = 8 * sizeof(Key),      \
      cudaStream_t stream = nullptr, detail::Caller caller = {}) {                                 \
    return sort(storage, bytes, keysIn, keysOut, valuesIn, valuesOut, count, beginBit, endBit,     \
                descends, stream, caller);                                                         \
  }                                                                                                \
  template <class Key>                                                                             \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, const Key* keysIn,        \
                                      Key* keysOut, std::ptrdiff_t count, int beginBit = 0,        \
                                      int endBit = 8 * sizeof(Key), cudaStream_t stream = nullptr, \
                                      detail::Caller caller = {}) {                                \
    return sort<Key, NullType>(storage, bytes, keysIn, keysOut, nullptr, nullptr, count, beginBit, \
                               endBit, descends, stream, caller);                                  \
  }
  NBODY_SORTS(, false)
  NBODY_SORTS(Descending, true)
#undef NBODY_SORTS

 private:
  /// Sorts by the bits \p beginBit to \p endBit - 1. Values may be null.
  template <class Key, class Value>
  static cudaError_t sort(void* storage, std::size_t& bytes, const Key* keysIn, Key* keysOut,
                          const Value* valuesIn, Value* valuesOut, std::ptrdiff_t count,
                          int beginBit, int endBit, bool descends, cudaStream_t stream,
                          const detail::Caller& caller) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceRadixSort", caller, [=] {
      using namespace nbody::executor;
      const auto order = radixOrder(keysIn, count, beginBit, endBit, descends);
      permute(order, keysIn, keysOut);
      noteWritten(keysOut, count);
      if (valuesIn == nullptr) return;
      permute(order, valuesIn, valuesOut);
      noteWritten(valuesOut, count);
    });
  }
};

/// Sorts in place. Those with equal keys keep their order, by either name.
struct DeviceMergeSort {
#define NBODY_SORTS(prefix)                                                                        \
  template <class Key, class Value, class Less>                                                    \
  static cudaError_t prefix##SortPairs(                                                            \
      void* storage, std::size_t& bytes, Key* keys, Value* values, std::ptrdiff_t count,           \
      Less less, cudaStream_t stream = nullptr, detail::Caller caller = {}) {                      \
    return sort(storage, bytes, keys, values, count, less, stream, caller);                        \
  }                                                                                                \
  template <class Key, class Less>                                                                 \
  static cudaError_t prefix##SortKeys(void* storage, std::size_t& bytes, Key* keys,                \
                                      std::ptrdiff_t count, Less less,                             \
                                      cudaStream_t stream = nullptr, detail::Caller caller = {}) { \
    return sort<Key, NullType>(storage, bytes, keys, nullptr, count, less, stream, caller);        \
  }
  NBODY_SORTS()
  NBODY_SORTS(Stable)
#undef NBODY_SORTS

 private:
  template <class Key, class Value, class Less>
  static cudaError_t sort(void* storage, std::size_t& bytes, Key* keys, Value* values,
                          std::ptrdiff_t count, Less less, cudaStream_t stream,
                          const detail::Caller& caller) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceMergeSort", caller, [=] {
      std::vector<std::ptrdiff_t> order(static_cast<std::size_t>(count));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::ptrdiff_t a, std::ptrdiff_t b) { return less(keys[a], keys[b]); });
      nbody::executor::permute(order, keys, keys);
      nbody::executor::noteWritten(keys, count);
      if (values == nullptr) return;
      nbody::executor::permute(order, values, values);
      nbody::executor::noteWritten(values, count);
    });
  }
};

struct DeviceReduce {
  /// Sets *out to \p operation over \p count values, beginning with \p start.
  template <class In, class Out, class Operation, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t count,
                            Operation operation, T start, cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceReduce", caller, [=]() mutable {
      T result = start;
      if (count > 0)
        result = operation(result, nbody::executor::treeReduce<T>(in, count, operation));
      *out = result;
      nbody::executor::noteWritten(out, 1);
    });
  }

#define NBODY_REDUCTION(name, start)                                                               \
  template <class In, class Out>                                                                   \
  static cudaError_t name(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t count, \
                          cudaStream_t stream = nullptr, detail::Caller caller = {}) {             \
    using T = detail::ValueOf<In>;                                                                 \
    return Reduce(storage, bytes, in, out, count, cub::name(), start, stream, caller);             \
  }
  NBODY_REDUCTION(Sum, T())
  NBODY_REDUCTION(Min, detail::greatest<T>())
  NBODY_REDUCTION(Max, detail::least<T>())
#undef NBODY_REDUCTION
};

struct DeviceScan {
  /// Sets out[i] to \p operation over \p start and in[0] to in[i - 1].
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operation operation, T start, std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      std::exclusive_scan(in, in + count, out, start, operation);
      nbody::executor::noteWritten(out, count);
    });
  }
  /// Sets out[i] to \p operation over in[0] to in[i].
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operation operation, std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      std::inclusive_scan(in, in + count, out, operation);
      nbody::executor::noteWritten(out, count);
    });
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out,
                                  std::ptrdiff_t count, cudaStream_t stream = nullptr,
                                  detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return ExclusiveScan(storage, bytes, in, out, Sum(), T(), count, stream, caller);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out,
                                  std::ptrdiff_t count, cudaStream_t stream = nullptr,
                                  detail::Caller caller = {}) {
    return InclusiveScan(storage, bytes, in, out, Sum(), count, stream, caller);
  }
};

}  // namespace cub
