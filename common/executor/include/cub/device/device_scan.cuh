/// \file
/// CUB's device-wide scans.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceScan {
  /// out[i] = \p operation over \p start and in[0] to in[i - 1].
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   In in,
                                   Out out,
                                   Operation operation,
                                   T start,
                                   std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr,
                                   detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      nbody::executor::scan<T>(in, count, out, operation, &start, true);
      nbody::executor::noteWritten(out, count);
    });
  }
  /// out[i] = \p operation over in[0] to in[i].
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage,
                                   std::size_t& bytes,
                                   In in,
                                   Out out,
                                   Operation operation,
                                   std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr,
                                   detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      nbody::executor::scan<T>(in, count, out, operation, nullptr, false);
      nbody::executor::noteWritten(out, count);
    });
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  In in,
                                  Out out,
                                  std::ptrdiff_t count,
                                  cudaStream_t stream = nullptr,
                                  detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return ExclusiveScan(storage, bytes, in, out, Sum(), T(), count, stream, caller);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* storage,
                                  std::size_t& bytes,
                                  In in,
                                  Out out,
                                  std::ptrdiff_t count,
                                  cudaStream_t stream = nullptr,
                                  detail::Caller caller = {}) {
    return InclusiveScan(storage, bytes, in, out, Sum(), count, stream, caller);
  }

  // Each run of equal keys by itself.
  template <class Keys, class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScanByKey(void* storage,
                                        std::size_t& bytes,
                                        Keys keys,
                                        In in,
                                        Out out,
                                        Operation operation,
                                        T start,
                                        std::ptrdiff_t count,
                                        cudaStream_t stream = nullptr,
                                        detail::Caller caller = {}) {
    return byKey(storage, bytes, keys, in, out, operation, start, true, count, stream, caller);
  }
  template <class Keys, class In, class Out, class Operation>
  static cudaError_t InclusiveScanByKey(void* storage,
                                        std::size_t& bytes,
                                        Keys keys,
                                        In in,
                                        Out out,
                                        Operation operation,
                                        std::ptrdiff_t count,
                                        cudaStream_t stream = nullptr,
                                        detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return byKey(storage, bytes, keys, in, out, operation, T(), false, count, stream, caller);
  }
  template <class Keys, class In, class Out>
  static cudaError_t ExclusiveSumByKey(void* storage,
                                       std::size_t& bytes,
                                       Keys keys,
                                       In in,
                                       Out out,
                                       std::ptrdiff_t count,
                                       cudaStream_t stream = nullptr,
                                       detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return byKey(storage, bytes, keys, in, out, Sum(), T(), true, count, stream, caller);
  }
  template <class Keys, class In, class Out>
  static cudaError_t InclusiveSumByKey(void* storage,
                                       std::size_t& bytes,
                                       Keys keys,
                                       In in,
                                       Out out,
                                       std::ptrdiff_t count,
                                       cudaStream_t stream = nullptr,
                                       detail::Caller caller = {}) {
    using T = detail::ValueOf<In>;
    return byKey(storage, bytes, keys, in, out, Sum(), T(), false, count, stream, caller);
  }

 private:
  template <class Keys, class In, class Out, class Operation, class T>
  static cudaError_t byKey(void* storage,
                           std::size_t& bytes,
                           Keys keys,
                           In in,
                           Out out,
                           Operation operation,
                           T start,
                           bool exclusive,
                           std::ptrdiff_t count,
                           cudaStream_t stream,
                           const detail::Caller& caller) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceScan", caller, [=]() mutable {
      for (std::ptrdiff_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end] == keys[i];) ++end;
        nbody::executor::scan<T>(
            in + i, end - i, out + i, operation, exclusive ? &start : nullptr, exclusive);
      }
      nbody::executor::noteWritten(out, count);
    });
  }
};

}  // namespace cub
