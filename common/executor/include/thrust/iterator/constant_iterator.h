/// \file
/// One value, again and again.
#pragma once

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"

namespace thrust {

template <class T>
class constant_iterator : public detail::ComputedIterator<constant_iterator<T>, T, T> {
 public:
  explicit constant_iterator(const T& value = T(), std::ptrdiff_t place = 0)
      : value_(value), place_(place) {}

  T at(std::ptrdiff_t) const { return value_; }
  void advance(std::ptrdiff_t n) { place_ += n; }
  std::ptrdiff_t distanceTo(const constant_iterator& other) const { return other.place_ - place_; }

 private:
  T value_;
  std::ptrdiff_t place_;
};

template <class T>
constant_iterator<T> make_constant_iterator(const T& value) {
  return constant_iterator<T>(value);
}

namespace detail {
template <class T>
struct Access<constant_iterator<T>> {
  static constexpr Place place = Place::anywhere;
  using Raw = constant_iterator<T>;
  static Raw raw(Raw i) { return i; }
  static Raw back(Raw i) { return i; }
};
}  // namespace detail

}  // namespace thrust
