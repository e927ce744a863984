/// \file
/// CUB's device-wide reductions.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceReduce {
  /// *out = \p operation over \p count values, beginning with \p start.
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

  template <class In, class Out>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t count,
                         cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    return Reduce(storage, bytes, in, out, count, cub::Sum(), detail::ValueOf<In>(), stream,
                  caller);
  }
  template <class In, class Out>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t count,
                         cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    const auto start = detail::greatest<detail::ValueOf<In>>();
    return Reduce(storage, bytes, in, out, count, cub::Min(), start, stream, caller);
  }
  template <class In, class Out>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t count,
                         cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    const auto start = detail::least<detail::ValueOf<In>>();
    return Reduce(storage, bytes, in, out, count, cub::Max(), start, stream, caller);
  }
};

}  // namespace cub
