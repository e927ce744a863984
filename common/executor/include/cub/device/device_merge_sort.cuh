/// \file
/// CUB's device-wide sorts by a comparison.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

/// Stable sorts by a comparison.
struct DeviceMergeSort {
  template <class Keys, class Compare>
  static cudaError_t SortKeys(void* storage,
                              std::size_t& bytes,
                              Keys keys,
                              std::ptrdiff_t count,
                              Compare less,
                              cudaStream_t stream = nullptr,
                              detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceMergeSort", caller, [=] {
      std::stable_sort(keys, keys + count, less);
    });
  }
  template <class Keys, class Compare>
  static cudaError_t StableSortKeys(void* storage,
                                    std::size_t& bytes,
                                    Keys keys,
                                    std::ptrdiff_t count,
                                    Compare less,
                                    cudaStream_t stream = nullptr,
                                    detail::Caller caller = {}) {
    return SortKeys(storage, bytes, keys, count, less, stream, caller);
  }
  template <class Keys, class Values, class Compare>
  static cudaError_t SortPairs(void* storage,
                               std::size_t& bytes,
                               Keys keys,
                               Values values,
                               std::ptrdiff_t count,
                               Compare less,
                               cudaStream_t stream = nullptr,
                               detail::Caller caller = {}) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceMergeSort", caller, [=] {
      std::vector<std::ptrdiff_t> order(static_cast<std::size_t>(count));
      for (std::ptrdiff_t i = 0; i < count; ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](std::ptrdiff_t a, std::ptrdiff_t b) {
        return less(keys[a], keys[b]);
      });
      nbody::executor::permute(order, keys, keys);
      nbody::executor::permute(order, values, values);
    });
  }
};

}  // namespace cub
