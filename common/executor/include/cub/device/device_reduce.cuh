/// \file
/// CUB's device-wide reductions.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceReduce {
  /// *out = \p operation over \p count values, beginning with \p start.
  template <class In, class Out, class Operation, class T>
  static cudaError_t Reduce(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            std::ptrdiff_t count,
                            Operation operation,
                            T start,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceReduce", caller, [=]() mutable {
      T result = start;
      if (count > 0)
        result = operation(result, nbody::executor::treeReduce<T>(in, count, operation));
      detail::give(out, result);
    });
  }

  template <class In, class Out>
  static cudaError_t Sum(void* storage,
                         std::size_t& bytes,
                         In in,
                         Out out,
                         std::ptrdiff_t count,
                         cudaStream_t stream = nullptr,
                         detail::Caller caller = {}) {
    return Reduce(
        storage, bytes, in, out, count, cub::Sum(), detail::ValueOf<In>(), stream, caller);
  }
  template <class In, class Out>
  static cudaError_t Min(void* storage,
                         std::size_t& bytes,
                         In in,
                         Out out,
                         std::ptrdiff_t count,
                         cudaStream_t stream = nullptr,
                         detail::Caller caller = {}) {
    const auto start = detail::greatest<detail::ValueOf<In>>();
    return Reduce(storage, bytes, in, out, count, cub::Min(), start, stream, caller);
  }
  template <class In, class Out>
  static cudaError_t Max(void* storage,
                         std::size_t& bytes,
                         In in,
                         Out out,
                         std::ptrdiff_t count,
                         cudaStream_t stream = nullptr,
                         detail::Caller caller = {}) {
    const auto start = detail::least<detail::ValueOf<In>>();
    return Reduce(storage, bytes, in, out, count, cub::Max(), start, stream, caller);
  }

  /// *out = index and value of the least; {1, the greatest number} of nothing.
  template <class In, class Out>
  static cudaError_t ArgMin(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            int count,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    const auto start = detail::greatest<detail::ValueOf<In>>();
    return arg(storage, bytes, in, out, count, cub::ArgMin(), start, stream, caller);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            int count,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    const auto start = detail::least<detail::ValueOf<In>>();
    return arg(storage, bytes, in, out, count, cub::ArgMax(), start, stream, caller);
  }

  /// One sum for each run of equal keys.
  template <class Keys,
            class UniqueOut,
            class Values,
            class SumsOut,
            class CountOut,
            class Operation>
  static cudaError_t ReduceByKey(void* storage,
                                 std::size_t& bytes,
                                 Keys keys,
                                 UniqueOut unique,
                                 Values values,
                                 SumsOut sums,
                                 CountOut runs,
                                 Operation operation,
                                 std::ptrdiff_t count,
                                 cudaStream_t stream = nullptr,
                                 detail::Caller caller = {}) {
    return detail::call(
        storage, bytes, count, stream, "cub::DeviceReduce::ReduceByKey", caller, [=]() mutable {
          std::ptrdiff_t run = 0;
          for (std::ptrdiff_t i = 0, end; i < count; i = end, ++run) {
            for (end = i + 1; end < count && keys[end] == keys[i];) ++end;
            unique[run] = keys[i];
            using T = detail::ValueOf<Values>;
            sums[run] = nbody::executor::treeReduce<T>(values + i, end - i, operation);
          }
          nbody::executor::noteWritten(unique, run);
          nbody::executor::noteWritten(sums, run);
          detail::give(runs, run);
        });
  }

 private:
  template <class In, class Out, class Operation, class T>
  static cudaError_t arg(void* storage,
                         std::size_t& bytes,
                         In in,
                         Out out,
                         int count,
                         Operation operation,
                         T ofNothing,
                         cudaStream_t stream,
                         const detail::Caller& caller) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceReduce", caller, [=]() mutable {
      KeyValuePair<int, T> result = {1, ofNothing};
      for (int i = 0; i < count; ++i) {
        const KeyValuePair<int, T> own = {i, static_cast<T>(in[i])};
        result = i == 0 ? own : operation(result, own);
      }
      detail::give(out, result);
    });
  }
};

}  // namespace cub
