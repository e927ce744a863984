/// \file
/// HostBuffer: pinned memory of the host, which a GPU reads and writes while the host goes on.
#pragma once

#include <utility>

#include "cuda/check.hpp"
#include "cuda/real.hpp"

namespace nbody {

/// Room for bodies.
class HostBuffer {
 public:
  HostBuffer() = default;
  HostBuffer(HostBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), room_(std::exchange(other.room_, 0)) {}
  HostBuffer& operator=(HostBuffer&&) = delete;
  ~HostBuffer() { free(); }

  /// Growing loses the contents.
  real4* reserve(int count) {
    if (count > room_) {
      free();
      CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(real4)));
      room_ = count;
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
  int room_ = 0;
};

}  // namespace nbody
