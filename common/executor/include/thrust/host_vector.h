/// \file
/// A vector in memory of the host.
#pragma once

#include <vector>

#include "thrust/device_vector.h"

namespace thrust {

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
  using Base = std::vector<T, Allocator>;

 public:
  using Base::Base;
  host_vector() = default;
  host_vector(const Base& other) : Base(other) {}
  template <class U, class A>
  host_vector(const device_vector<U, A>& other) {
    *this = other;
  }
  /// Of a range of the device.
  template <class U>
  host_vector(device_ptr<U> first, device_ptr<U> last) {
    const nbody::executor::OpenMemory open;
    Base::assign(first.get(), last.get());
    nbody::executor::noteCopied(first.get(), last - first, this->data());
  }
  template <class U, class A>
  host_vector& operator=(const device_vector<U, A>& other) {
    const nbody::executor::OpenMemory open;
    const U* first = other.data().get();
    Base::assign(first, first + other.size());
    nbody::executor::noteCopied(first, other.size(), this->data());
    return *this;
  }
};

}  // namespace thrust
