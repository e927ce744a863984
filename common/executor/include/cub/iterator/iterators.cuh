/// \file
/// CUB's iterators, which compute what they give.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace cub {
namespace detail {

/// The base of Derived. Its at(n) is the value at place n.
template <class Derived, class Value>
class ComputedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Value;

  Value operator*() const { return self().at(place_); }
  Value operator[](std::ptrdiff_t n) const { return self().at(place_ + n); }
  Derived& operator+=(std::ptrdiff_t n) {
    place_ += n;
    return static_cast<Derived&>(*this);
  }
  Derived& operator-=(std::ptrdiff_t n) { return *this += -n; }
  Derived& operator++() { return *this += 1; }
  Derived& operator--() { return *this -= 1; }
  Derived operator++(int) {
    const Derived before = self();
    ++*this;
    return before;
  }
  Derived operator--(int) {
    const Derived before = self();
    --*this;
    return before;
  }
  friend Derived operator+(Derived i, std::ptrdiff_t n) { return i += n; }
  friend Derived operator+(std::ptrdiff_t n, Derived i) { return i += n; }
  friend Derived operator-(Derived i, std::ptrdiff_t n) { return i -= n; }
  friend std::ptrdiff_t operator-(const Derived& a, const Derived& b) {
    return a.place_ - b.place_;
  }
  friend bool operator==(const Derived& a, const Derived& b) { return a.place_ == b.place_; }
  friend bool operator!=(const Derived& a, const Derived& b) { return a.place_ != b.place_; }
  friend bool operator<(const Derived& a, const Derived& b) { return a.place_ < b.place_; }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  std::ptrdiff_t place_ = 0;
};

/// Takes any value and forgets it.
struct Discarded {
  template <class T>
  const Discarded& operator=(const T&) const {
    return *this;
  }
};

}  // namespace detail

/// The numbers from \p start on.
template <class T, class Difference = std::ptrdiff_t>
class CountingInputIterator
    : public detail::ComputedIterator<CountingInputIterator<T, Difference>, T> {
 public:
  explicit CountingInputIterator(T start) : start_(start) {}
  T at(std::ptrdiff_t n) const { return static_cast<T>(start_ + static_cast<T>(n)); }

 private:
  T start_;
};

/// One value, again and again.
template <class T, class Difference = std::ptrdiff_t>
class ConstantInputIterator
    : public detail::ComputedIterator<ConstantInputIterator<T, Difference>, T> {
 public:
  explicit ConstantInputIterator(const T& value) : value_(value) {}
  T at(std::ptrdiff_t) const { return value_; }

 private:
  T value_;
};

/// \p function of the values of an iterator.
template <class T, class Function, class Iterator, class Difference = std::ptrdiff_t>
class TransformInputIterator
    : public detail::ComputedIterator<TransformInputIterator<T, Function, Iterator, Difference>,
                                      T> {
 public:
  TransformInputIterator(Iterator iterator, Function function)
      : iterator_(iterator), function_(function) {}
  T at(std::ptrdiff_t n) const {
    return const_cast<std::remove_const_t<Function>&>(function_)(iterator_[n]);
  }

 private:
  Iterator iterator_;
  Function function_;
};

class DiscardOutputIterator
    : public detail::ComputedIterator<DiscardOutputIterator, detail::Discarded> {
 public:
  detail::Discarded at(std::ptrdiff_t) const { return {}; }
};

}  // namespace cub
