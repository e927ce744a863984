/// \file
/// DeviceBuffer: device memory that is kept from one use to the next and grows where it must.
#pragma once

#include <algorithm>

#include "cuda/device_array.hpp"

namespace nbody {

/// Room for elements of T in device memory. The name is for messages about it.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::string name) : name_(std::move(name)) {}

  /// Makes room for \p size elements; where that needs new memory, what was there is lost.
  T* reserve(std::size_t size) {
    if (array_.size() < size || array_.size() == 0) {
      // Who grows once grows again: an eighth to spare.
      const std::size_t room = array_.size() == 0 ? size : size + size / 8;
      array_ = {};  // first: there may be no room for both
      array_ = DeviceArray<T>(std::max<std::size_t>(room, 1), name_);
    }
    return array_.data();
  }

  void upload(const std::vector<T>& host) {
    copyToDevice(reserve(host.size()), host.data(), host.size() * sizeof(T));
  }

  /// Elements \p first to \p first + \p count - 1.
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
