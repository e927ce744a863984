/// \file
/// CUB's device-wide scans.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceScan {
  /// out[i] = \p operation over \p start and in[0] to in[i - 1].
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operation operation, T start, std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      nbody::executor::scan<T>(in, count, out, operation, &start, true);
      nbody::executor::noteWritten(out, count);
    });
  }
  /// out[i] = \p operation over in[0] to in[i].
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operation operation, std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr, detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      nbody::executor::scan<T>(in, count, out, operation, nullptr, false);
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
