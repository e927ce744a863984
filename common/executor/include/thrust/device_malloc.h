/// \file
/// Memory of the device, taken and given back by hand.
#pragma once

#include "thrust/device_ptr.h"

namespace thrust {

template <class T>
device_ptr<T> device_malloc(std::size_t count, nbody::executor::Caller caller = {}) {
  T* memory = nullptr;
  detail::check(cudaMalloc(&memory, count * sizeof(T), caller));
  return device_ptr<T>(memory);
}
/// \p bytes bytes.
inline device_ptr<void> device_malloc(std::size_t bytes, nbody::executor::Caller caller = {}) {
  void* memory = nullptr;
  detail::check(cudaMalloc(&memory, bytes, caller));
  return device_ptr<void>(memory);
}
template <class T>
void device_free(device_ptr<T> pointer) {
  detail::check(cudaFree(pointer.get()));
}

}  // namespace thrust
