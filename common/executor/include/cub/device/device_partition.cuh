/// \file
/// CUB's device-wide partitions.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DevicePartition {
  /// The items for which \p predicate holds, then the others in reverse order.
  template <class In, class Out, class CountOut, class Predicate>
  static cudaError_t If(void* storage,
                        std::size_t& bytes,
                        In in,
                        Out out,
                        CountOut selected,
                        std::ptrdiff_t count,
                        Predicate predicate,
                        cudaStream_t stream = nullptr,
                        detail::Caller caller = {}) {
    return detail::call(
        storage, bytes, count, stream, "cub::DevicePartition", caller, [=]() mutable {
          std::ptrdiff_t first = 0, last = count;
          for (std::ptrdiff_t i = 0; i < count; ++i) {
            if (predicate(in[i])) out[first++] = in[i];
            else out[--last] = in[i];
          }
          nbody::executor::noteWritten(out, count);
          detail::give(selected, first);
        });
  }
};

}  // namespace cub
