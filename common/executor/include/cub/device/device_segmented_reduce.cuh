/// \file
/// CUB's reductions of segments.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

/// One reduction for each segment: of items begins[i] to ends[i] - 1.
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Operation, class T>
  static cudaError_t Reduce(void* storage,
                            std::size_t& bytes,
                            In in,
                            Out out,
                            std::ptrdiff_t segments,
                            Begins begins,
                            Ends ends,
                            Operation operation,
                            T start,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    return detail::call(
        storage, bytes, segments, stream, "cub::DeviceSegmentedReduce", caller, [=]() mutable {
          for (std::ptrdiff_t s = 0; s < segments; ++s) {
            const std::ptrdiff_t first = begins[s], count = ends[s] - first;
            out[s] = count <= 0
                         ? start
                         : operation(start,
                                     nbody::executor::treeReduce<T>(in + first, count, operation));
          }
          nbody::executor::noteWritten(out, segments);
        });
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* storage,
                         std::size_t& bytes,
                         In in,
                         Out out,
                         std::ptrdiff_t segments,
                         Begins begins,
                         Ends ends,
                         cudaStream_t stream = nullptr,
                         detail::Caller caller = {}) {
    return Reduce(storage,
                  bytes,
                  in,
                  out,
                  segments,
                  begins,
                  ends,
                  cub::Sum(),
                  detail::ValueOf<In>(),
                  stream,
                  caller);
  }
};

}  // namespace cub
