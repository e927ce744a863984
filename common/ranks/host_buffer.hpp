/// \file
/// HostBuffer: pinned host memory, which a GPU reads and writes while the host continues.
#pragma once

#include <cstddef>
#include <utility>

#include "cuda/check.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Pinned memory for bodies.
class HostBuffer {
 public:
  HostBuffer() = default;
  HostBuffer(HostBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), room_(std::exchange(other.room_, 0)) {}
  HostBuffer& operator=(HostBuffer&&) = delete;
  ~HostBuffer() { free(); }

  /// Returns memory for \p count bodies. If it grows, its contents are lost.
  real4* reserve(int count) {
    if (static_cast<std::size_t>(count) > room_) {
      // Allocates an eighth more the second time, because pinning is slow and counts vary.
      const std::size_t room = room_ == 0 ? count : count + static_cast<std::size_t>(count) / 8;
      free();
      CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), room * sizeof(real4)));
      room_ = room;
    }
    return data_;
  }
  real4* data() { return data_; }

 private:
  void free() {
    if (data_ != nullptr) static_cast<void>(cudaFreeHost(data_));
    data_ = nullptr;
    room_ = 0;
  }

  real4* data_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace nbody
