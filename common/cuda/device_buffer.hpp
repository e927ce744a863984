/// \file
/// DeviceBuffer: device memory that is kept between uses, and grows if it is too small.
#pragma once

#include <algorithm>

#include "cuda/device_array.hpp"

namespace nbody {

/// Room for elements of T in device memory. Its name is for messages about it.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::string name) : name_(std::move(name)) {}

  /// Makes room for \p size elements and returns their address. If it grows, the contents are lost.
  T* reserve(std::size_t size) {
    if (array_.size() < size || array_.size() == 0) {
      // Over-allocate by 1/8: buffers that grow tend to grow again.
      const std::size_t capacity = array_.size() == 0 ? size : size + size / 8;
      array_ = {};  // first, because both may not fit
      array_ = DeviceArray<T>(std::max<std::size_t>(capacity, 1), name_);
    }
    return array_.data();
  }

  void upload(const std::vector<T>& host) {
    copyToDevice(reserve(host.size()), host.data(), host.size() * sizeof(T));
  }

  /// Returns a copy of elements \p first to \p first + \p count - 1, on the host.
  std::vector<T> download(std::size_t first, std::size_t count) const {
    std::vector<T> host(count);
    copyToHost(host.data(), array_.data() + first, count * sizeof(T));
    return host;
  }

  T* data() { return array_.data(); }
  const T* data() const { return array_.data(); }

 private:
  std::string name_;
  DeviceArray<T> array_;
};

}  // namespace nbody
