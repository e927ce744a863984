/// \file
/// HostBuffer: pinned memory of the host, which a GPU reads and writes while the host goes on.
#pragma once

#include <cstddef>
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
    if (static_cast<std::size_t>(count) > room_) {
      // An eighth more where it grows again: dealt bodies are more or fewer each time, and pinning is slow.
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
