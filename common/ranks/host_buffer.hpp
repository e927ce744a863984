/// \file
/// HostBuffer: pinned host memory, which a GPU reads and writes while the host continues.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/check.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Pinned memory for bodies.
class HostBuffer {
 public:
  /// Returns memory for \p count bodies. If it grows, its contents are lost.
  real4* reserve(int count) {
    if (static_cast<std::size_t>(count) > capacity_) {
      // Allocates an eighth more the second time, because pinning is slow and counts vary.
      const std::size_t capacity =
          capacity_ == 0 ? count : count + static_cast<std::size_t>(count) / 8;
      data_.reset();  // first, because both may not fit
      capacity_ = 0;  // in case of an exception
      void* memory = nullptr;
      CUDA_CHECK(cudaMallocHost(&memory, capacity * sizeof(real4)));
      data_.reset(static_cast<real4*>(memory));
      capacity_ = capacity;
    }
    return data_.get();
  }
  real4* data() { return data_.get(); }

 private:
  struct Free {
    void operator()(real4* data) const { static_cast<void>(cudaFreeHost(data)); }
  };

  std::unique_ptr<real4, Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace nbody
