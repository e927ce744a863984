/// \file
/// Pinned: a value on the host that kernels can write.
#pragma once

#include "cuda/check.hpp"

namespace nbody {

/// A T in pinned host memory. After a wait for the device, the host sees what a kernel has written, without a copy.
template <class T>
class Pinned {
 public:
  Pinned() { CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&value_), sizeof(T))); }
  ~Pinned() { static_cast<void>(cudaFreeHost(value_)); }
  Pinned(const Pinned&) = delete;

  T* address() { return value_; }
  const T& operator*() const { return *value_; }

 private:
  T* value_ = nullptr;
};

}  // namespace nbody
