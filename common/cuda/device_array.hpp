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

/// Allocates \p bytes of device memory. Throws CudaError with the array's name, its size and the free bytes.
/// The executor's reports use the name and count elements.
void* allocateDevice(std::size_t bytes, std::size_t elementBytes, const std::string& name);
void freeDevice(void* pointer) noexcept;

/// Copies \p bytes bytes, in order with the suite's other GPU work. Returns when the copy has ended.
void copyToDevice(void* device, const void* host, std::size_t bytes);
void copyToHost(void* host, const void* device, std::size_t bytes);

/// Sets \p bytes bytes to \p value, in order with the suite's other GPU work. A graph can capture it.
void fillDevice(void* device, int value, std::size_t bytes);

/// Fills with NaN. For the executor's checker the bytes are uninitialised afterwards.
void poisonDevice(void* device, std::size_t bytes);

/// Waits for all GPU work, and throws if some of it failed.
void synchronizeDevice();

/// Returns the bytes of device memory that are free now.
std::size_t freeDeviceBytes();

// Counts that the executor keeps of a correct run.

/// Returns how many bytes of device memory kernels have read so far, without atomic updates; nothing unless the
/// executor's checker counts them.
std::optional<std::uint64_t> deviceBytesRead();

/// Returns how often host code has waited for the device so far, or has seen that work is over; 0 on a GPU.
std::uint64_t hostWaits();

/// An array of T in device memory. Its name is for messages about it.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  DeviceArray(std::size_t size, std::string name)
      : name_(std::move(name)),
        size_(size),
        capacity_(size),
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

  /// Changes the number of elements; their values are lost. If the room is too small, allocates an eighth
  /// more than \p size.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::string name = name_;
      *this = {};  // first, because both may not fit
      *this = DeviceArray(size + size / 8, name);
    }
    size_ = size;
  }

  /// Copies \p host to the device. Throws CudaError unless it has size() elements.
  void upload(const std::vector<T>& host) {
    if (host.size() != size_)
      throw CudaError("upload of " + std::to_string(host.size()) + " elements to " + name_ +
                      ", which has " + std::to_string(size_));
    copyToDevice(data_, host.data(), size_ * sizeof(T));
  }

  /// Returns a copy of all elements, on the host.
  std::vector<T> download() const {
    std::vector<T> host(size_);
    copyToHost(host.data(), data_, size_ * sizeof(T));
    return host;
  }

  /// Fills the array with NaN, so that an element that no kernel writes fails every check.
  void poison() { poisonDevice(data_, size_ * sizeof(T)); }

  /// Sets all bytes to 0.
  void clear() { fillDevice(data_, 0, size_ * sizeof(T)); }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(data_, other.data_);
  }

  std::string name_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  T* data_ = nullptr;
};

}  // namespace nbody
