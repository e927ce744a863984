/// \file
/// A vector in memory of the device.
#pragma once

#include <initializer_list>
#include <iterator>
#include <vector>

#include "thrust/detail/run.h"
#include "thrust/copy.h"
#include "thrust/device_malloc.h"
#include "thrust/generate.h"
// What programs use without including it, for Thrust's own header brings it too.
#include "thrust/equal.h"
#include "thrust/fill.h"
#include "thrust/for_each.h"
#include "thrust/iterator/constant_iterator.h"
#include "thrust/iterator/counting_iterator.h"
#include "thrust/reduce.h"
#include "thrust/replace.h"
#include "thrust/scan.h"
#include "thrust/transform.h"

namespace thrust {

/// Elements are made and copied by host code, with device memory open.
template <class T, class Allocator = void>
class device_vector {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using Caller = nbody::executor::Caller;

  device_vector(Caller caller = {}) : caller_(caller) {}
  explicit device_vector(std::size_t count, Caller caller = {}) : caller_(caller) { resize(count); }
  device_vector(std::size_t count, const T& value, Caller caller = {}) : caller_(caller) {
    resize(count, value);
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  device_vector(Iterator first, Iterator last, Caller caller = {}) : caller_(caller) {
    assign(first, last);
  }
  device_vector(std::initializer_list<T> values, Caller caller = {}) : caller_(caller) {
    assign(values.begin(), values.end());
  }
  template <class A>
  device_vector(const std::vector<T, A>& values, Caller caller = {}) : caller_(caller) {
    assign(values.begin(), values.end());
  }
  device_vector(const device_vector& other) : caller_(other.caller_) {
    assign(other.begin(), other.end());
  }
  template <class U, class A>
  device_vector(const device_vector<U, A>& other, Caller caller = {}) : caller_(caller) {
    assign(other.begin(), other.end());
  }
  device_vector(device_vector&& other) noexcept { swap(other); }
  ~device_vector() { release(); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class A>
  device_vector& operator=(const device_vector<U, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class A>
  device_vector& operator=(const std::vector<T, A>& values) {
    assign(values.begin(), values.end());
    return *this;
  }

  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void assign(Iterator first, Iterator last) {
    const nbody::executor::OpenMemory open;
    auto from = detail::Access<Iterator>::raw(first), end = detail::Access<Iterator>::raw(last);
    const std::vector<T> values(from, end);  // the range may be the vector's own
    clear();
    reserve(values.size());
    std::uninitialized_copy(values.begin(), values.end(), raw_);
    size_ = values.size();
    nbody::executor::noteWritten(raw_, static_cast<std::ptrdiff_t>(size_));
  }
  void assign(std::size_t count, const T& value) {
    clear();
    resize(count, value);
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  void clear() { shrinkTo(0); }
  void resize(std::size_t count, const T& value = T()) {
    const nbody::executor::OpenMemory open;
    reserve(count);
    if (count < size_) return shrinkTo(count);
    std::uninitialized_fill(raw_ + size_, raw_ + count, value);
    nbody::executor::noteWritten(raw_ + size_, static_cast<std::ptrdiff_t>(count - size_));
    size_ = count;
  }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    device_ptr<T> memory = device_malloc<T>(count, caller_);
    const nbody::executor::OpenMemory open;
    std::uninitialized_copy(raw_, raw_ + size_, memory.get());
    nbody::executor::noteWritten(memory.get(), static_cast<std::ptrdiff_t>(size_));
    const std::size_t size = size_;
    release();
    raw_ = memory.get();
    size_ = size;
    capacity_ = count;
  }
  void shrink_to_fit() {}
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(2 * capacity_ + 1);
    resize(size_ + 1, value);
  }
  void pop_back() { shrinkTo(size_ - 1); }
  iterator erase(iterator first, iterator last) {
    const std::ptrdiff_t start = first - begin();
    const nbody::executor::OpenMemory open;
    std::move(last.get(), raw_ + size_, first.get());
    shrinkTo(size_ - static_cast<std::size_t>(last - first));
    return begin() + start;
  }
  iterator erase(iterator position) { return erase(position, position + 1); }
  iterator insert(iterator position, const T& value) {
    const std::ptrdiff_t place = position - begin();
    push_back(value);
    const nbody::executor::OpenMemory open;
    std::rotate(raw_ + place, raw_ + size_ - 1, raw_ + size_);
    return begin() + place;
  }
  void swap(device_vector& other) noexcept {
    std::swap(raw_, other.raw_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(caller_, other.caller_);
  }

  iterator begin() { return iterator(raw_); }
  iterator end() { return begin() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator begin() const { return const_iterator(raw_); }
  const_iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  reference operator[](std::size_t i) { return reference(raw_ + i); }
  const_reference operator[](std::size_t i) const { return const_reference(raw_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  friend bool operator==(const device_vector& a, const device_vector& b) {
    const nbody::executor::OpenMemory open;
    return std::equal(a.raw_, a.raw_ + a.size_, b.raw_, b.raw_ + b.size_);
  }
  template <class A>
  friend bool operator==(const device_vector& a, const std::vector<T, A>& b) {
    const nbody::executor::OpenMemory open;
    return std::equal(a.raw_, a.raw_ + a.size_, b.begin(), b.end());
  }
  friend bool operator!=(const device_vector& a, const device_vector& b) { return !(a == b); }

 private:
  void shrinkTo(std::size_t count) {
    const nbody::executor::OpenMemory open(count < size_ && !std::is_trivially_destructible_v<T>);
    std::destroy(raw_ + count, raw_ + size_);
    size_ = count;
  }
  void release() {
    clear();
    if (raw_ != nullptr) cudaFree(raw_);
    raw_ = nullptr;
    capacity_ = 0;
  }

  T* raw_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  Caller caller_;
};

}  // namespace thrust
