/// \file
/// A prefix sum: CUB's on a GPU, the standard library's on the executor.
#pragma once

#ifdef NBODY_GPU
#include <cub/device/device_scan.cuh>
#else
#include <numeric>
#endif

#include "cuda/cuda.hpp"
#include "cuda/device_buffer.hpp"

namespace nbody {

struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

/// Replaces each of the first \p count elements of \p values by the sum of those before it.
/// \param scratch  room for CUB, kept from one call to the next
template <class T>
void exclusiveSum(DeviceBuffer<T>& values, int count, DeviceBuffer<unsigned char>& scratch) {
#ifdef NBODY_GPU
  T* data = values.data();
  std::size_t bytes = 0;
  const auto scan = [&](void* room) {
    CUDA_CHECK(
        cub::DeviceScan::ExclusiveScan(room, bytes, data, data, Plus(), T{}, count, stream()));
  };
  scan(nullptr);  // only says how many bytes
  scan(scratch.reserve(bytes));
#else
  static_cast<void>(scratch);
  std::vector<T> host = values.download(0, count);
  std::exclusive_scan(host.begin(), host.end(), host.begin(), T{}, Plus());
  copyToDevice(values.data(), host.data(), count * sizeof(T));
#endif
}

}  // namespace nbody
