/// \file
/// A pointer to memory of the device, and a reference that host code can read and write.
#pragma once

#include <cstddef>
#include <iostream>  // programs rely on it
#include <iterator>

#include "thrust/detail/system.h"

namespace thrust {

template <class T>
class device_ptr;

/// An element of device memory: host code gets a copy of it, and writes one.
template <class T>
class device_reference {
 public:
  using value_type = std::remove_const_t<T>;
  explicit device_reference(T* raw) : raw_(raw) {}
  device_reference(const device_reference&) = default;

  operator value_type() const {
    const nbody::executor::OpenMemory open;
    nbody::executor::noteCopied(raw_, 1, nullptr);
    return *raw_;
  }
  const device_reference& operator=(const value_type& value) const {
    const nbody::executor::OpenMemory open;
    *raw_ = value;
    nbody::executor::noteWritten(raw_, 1);
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const {
    return *this = static_cast<value_type>(other);
  }
  device_ptr<T> operator&() const;

#define NBODY_CHANGE(operation)                                              \
  const device_reference& operator operation##=(const value_type& v) const { \
    return *this = static_cast<value_type>(value_type(*this) operation v);   \
  }
  NBODY_CHANGE(+)
  NBODY_CHANGE(-)
  NBODY_CHANGE(*)
  NBODY_CHANGE(/)
#undef NBODY_CHANGE
  const device_reference& operator++() const { return *this += value_type(1); }
  const device_reference& operator--() const { return *this -= value_type(1); }
  friend void swap(const device_reference& a, const device_reference& b) {
    const value_type value = a;
    a = b;
    b = value;
  }
  friend std::ostream& operator<<(std::ostream& out, const device_reference& r) {
    return out << static_cast<value_type>(r);
  }

 private:
  T* raw_;
};

/// A random access iterator over memory of the device.
template <class T>
class device_ptr {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr;
  using reference = device_reference<T>;
  using element_type = T;

  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* raw) : raw_(raw) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  device_ptr(const device_ptr<U>& other) : raw_(other.get()) {}

  T* get() const { return raw_; }
  reference operator*() const { return reference(raw_); }
  reference operator[](std::ptrdiff_t i) const { return reference(raw_ + i); }
  explicit operator bool() const { return raw_ != nullptr; }

  device_ptr& operator+=(std::ptrdiff_t n) {
    raw_ += n;
    return *this;
  }
  device_ptr& operator-=(std::ptrdiff_t n) { return *this += -n; }
  device_ptr& operator++() { return *this += 1; }
  device_ptr& operator--() { return *this += -1; }
  device_ptr operator++(int) { return device_ptr(raw_++); }
  device_ptr operator--(int) { return device_ptr(raw_--); }
  friend device_ptr operator+(device_ptr p, std::ptrdiff_t n) { return p += n; }
  friend device_ptr operator+(std::ptrdiff_t n, device_ptr p) { return p += n; }
  friend device_ptr operator-(device_ptr p, std::ptrdiff_t n) { return p -= n; }
  template <class U>
  std::ptrdiff_t operator-(const device_ptr<U>& other) const {
    return raw_ - other.get();
  }
#define NBODY_COMPARE(operation)                              \
  template <class U>                                          \
  bool operator operation(const device_ptr<U>& other) const { \
    return raw_ operation other.get();                        \
  }
  NBODY_COMPARE(==)
  NBODY_COMPARE(!=)
  NBODY_COMPARE(<)
  NBODY_COMPARE(>)
  NBODY_COMPARE(<=)
  NBODY_COMPARE(>=)
#undef NBODY_COMPARE

 private:
  T* raw_ = nullptr;
};

/// An address without a type.
template <>
class device_ptr<void> {
 public:
  device_ptr() = default;
  explicit device_ptr(void* raw) : raw_(raw) {}
  template <class T>
  device_ptr(const device_ptr<T>& other) : raw_(other.get()) {}
  template <class T>
  explicit operator device_ptr<T>() const {
    return device_ptr<T>(static_cast<T*>(raw_));
  }
  void* get() const { return raw_; }

 private:
  void* raw_ = nullptr;
};

template <class T>
device_ptr<T> device_reference<T>::operator&() const {
  return device_ptr<T>(raw_);
}

template <class T>
T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class T>
T* raw_pointer_cast(T* pointer) {
  return pointer;
}
template <class T>
device_ptr<T> device_pointer_cast(T* pointer) {
  return device_ptr<T>(pointer);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
  return pointer;
}

namespace detail {
template <class T>
struct Access<device_ptr<T>> {
  static constexpr Place place = Place::device;
  using Raw = T*;
  static Raw raw(device_ptr<T> i) { return i.get(); }
  static device_ptr<T> back(Raw i) { return device_ptr<T>(i); }
};
}  // namespace detail

}  // namespace thrust
