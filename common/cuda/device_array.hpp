/// \file
/// DeviceArray: an array in the backend's memory that frees itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/check.hpp"

namespace nbody {

/// Allocates \p bytes of device memory; the error names the array, its size and what is free. The
/// executor's reports name it and count its elements.
void* allocateDevice(std::size_t bytes, std::size_t elementBytes, const std::string& name);
void freeDevice(void* pointer) noexcept;

/// Copies, in order with the suite's other GPU work; back on the host when they return.
void copyToDevice(void* device, const void* host, std::size_t bytes);
void copyToHost(void* host, const void* device, std::size_t bytes);

/// Sets \p bytes bytes to \p value, in order with the suite's other GPU work; capturable in a
/// graph.
void fillDevice(void* device, int value, std::size_t bytes);

/// Fills with NaN; for the executor's checker nothing has written these bytes then.
void poisonDevice(void* device, std::size_t bytes);

/// Waits for all GPU work and throws what went wrong in it.
void synchronizeDevice();

/// Bytes of device memory: free now.
std::size_t freeDeviceBytes();

// Counts that the executor keeps of a correct run.

/// How many bytes of device memory kernels have read so far, atomic updates left out; nothing but where the
/// executor's checker counts them.
std::optional<std::uint64_t> deviceBytesRead();

/// How often host code has waited for the device so far, or has seen that work is over; always 0 on a GPU.
std::uint64_t hostWaits();

/// \p size elements of T in device memory. The name is for messages about it.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  DeviceArray(std::size_t size, std::string name)
      : name_(std::move(name)),
        size_(size),
        room_(size),
        data_(static_cast<T*>(allocateDevice(size * sizeof(T), sizeof(T), name_))) {}
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() { freeDevice(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// Has \p size elements from now on, whose values are lost. Where there is no room for them it makes
  /// an eighth more than that.
  void resize(std::size_t size) {
    if (size > room_) {
      const std::string name = name_;
      *this = {};  // first, for both may not fit
      *this = DeviceArray(size + size / 8, name);
    }
    size_ = size;
  }

  /// Copies \p host, which must be as long as this array.
  void upload(const std::vector<T>& host) {
    if (host.size() != size_)
      throw CudaError("upload of " + std::to_string(host.size()) + " elements to " + name_ +
                      ", which has " + std::to_string(size_));
    copyToDevice(data_, host.data(), size_ * sizeof(T));
  }

  std::vector<T> download() const {
    std::vector<T> host(size_);
    copyToHost(host.data(), data_, size_ * sizeof(T));
    return host;
  }

  /// Fills the array with NaN, so that an element that no kernel writes fails every check.
  void poison() { poisonDevice(data_, size_ * sizeof(T)); }

  void clear() { fillDevice(data_, 0, size_ * sizeof(T)); }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    std::swap(data_, other.data_);
  }

  std::string name_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
  T* data_ = nullptr;
};

}  // namespace nbody
