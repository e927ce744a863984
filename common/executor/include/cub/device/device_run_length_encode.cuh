/// \file
/// CUB's device-wide run-length encoding.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceRunLengthEncode {
  /// Item and length of each run of equal items.
  template <class In, class UniqueOut, class LengthOut, class CountOut>
  static cudaError_t Encode(void* storage,
                            std::size_t& bytes,
                            In in,
                            UniqueOut unique,
                            LengthOut lengths,
                            CountOut runs,
                            std::ptrdiff_t count,
                            cudaStream_t stream = nullptr,
                            detail::Caller caller = {}) {
    return encode(storage,
                  bytes,
                  in,
                  lengths,
                  runs,
                  count,
                  1,
                  stream,
                  caller,
                  [=](std::ptrdiff_t run, std::ptrdiff_t first) mutable {
                    unique[run] = in[first];
                    nbody::executor::noteWritten(unique + run, 1);
                  });
  }
  /// Place and length of each run of at least two equal items.
  template <class In, class OffsetOut, class LengthOut, class CountOut>
  static cudaError_t NonTrivialRuns(void* storage,
                                    std::size_t& bytes,
                                    In in,
                                    OffsetOut offsets,
                                    LengthOut lengths,
                                    CountOut runs,
                                    std::ptrdiff_t count,
                                    cudaStream_t stream = nullptr,
                                    detail::Caller caller = {}) {
    return encode(storage,
                  bytes,
                  in,
                  lengths,
                  runs,
                  count,
                  2,
                  stream,
                  caller,
                  [=](std::ptrdiff_t run, std::ptrdiff_t first) mutable {
                    offsets[run] = static_cast<detail::ValueOf<OffsetOut>>(first);
                    nbody::executor::noteWritten(offsets + run, 1);
                  });
  }

 private:
  template <class In, class LengthOut, class CountOut, class Begin>
  static cudaError_t encode(void* storage,
                            std::size_t& bytes,
                            In in,
                            LengthOut lengths,
                            CountOut runs,
                            std::ptrdiff_t count,
                            std::ptrdiff_t least,
                            cudaStream_t stream,
                            const detail::Caller& caller,
                            Begin begin) {
    return detail::call(
        storage, bytes, count, stream, "cub::DeviceRunLengthEncode", caller, [=]() mutable {
          std::ptrdiff_t run = 0;
          for (std::ptrdiff_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && in[end] == in[i];) ++end;
            if (end - i < least) continue;
            begin(run, i);
            lengths[run++] = static_cast<detail::ValueOf<LengthOut>>(end - i);
          }
          nbody::executor::noteWritten(lengths, run);
          detail::give(runs, run);
        });
  }
};

}  // namespace cub
