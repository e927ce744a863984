/// \file
/// CUB's device-wide histograms of one channel.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceHistogram {
  /// Counts of \p levels - 1 bins of the same width from \p lower to below \p upper.
  template <class In, class Counter, class Level>
  static cudaError_t HistogramEven(void* storage,
                                   std::size_t& bytes,
                                   In samples,
                                   Counter* histogram,
                                   int levels,
                                   Level lower,
                                   Level upper,
                                   std::ptrdiff_t count,
                                   cudaStream_t stream = nullptr,
                                   detail::Caller caller = {}) {
    return fill(storage, bytes, samples, histogram, levels - 1, count, stream, caller, [=](auto x) {
      if (!(x >= lower && x < upper)) return -1;
      return static_cast<int>((static_cast<double>(x) - static_cast<double>(lower)) * (levels - 1) /
                              (static_cast<double>(upper) - static_cast<double>(lower)));
    });
  }
  /// Counts of the bins between neighbours of \p bounds, of which there are \p levels.
  template <class In, class Counter, class Level>
  static cudaError_t HistogramRange(void* storage,
                                    std::size_t& bytes,
                                    In samples,
                                    Counter* histogram,
                                    int levels,
                                    const Level* bounds,
                                    std::ptrdiff_t count,
                                    cudaStream_t stream = nullptr,
                                    detail::Caller caller = {}) {
    return fill(storage, bytes, samples, histogram, levels - 1, count, stream, caller, [=](auto x) {
      return static_cast<int>(std::upper_bound(bounds, bounds + levels, x) - bounds) - 1;
    });
  }

 private:
  template <class In, class Counter, class Bin>
  static cudaError_t fill(void* storage,
                          std::size_t& bytes,
                          In samples,
                          Counter* histogram,
                          int bins,
                          std::ptrdiff_t count,
                          cudaStream_t stream,
                          const detail::Caller& caller,
                          Bin binOf) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceHistogram", caller, [=] {
      std::fill(histogram, histogram + bins, Counter());
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        const int bin = binOf(samples[i]);
        if (bin >= 0 && bin < bins) ++histogram[bin];
      }
      nbody::executor::noteWritten(histogram, bins);
    });
  }
};

}  // namespace cub
