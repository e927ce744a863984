/// \file
/// The numbers from a start on.
#pragma once

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"

namespace thrust {

template <class T, class System = void, class Category = void, class Difference = std::ptrdiff_t>
class counting_iterator
    : public detail::ComputedIterator<counting_iterator<T, System, Category, Difference>, T, T> {
 public:
  counting_iterator() = default;
  explicit counting_iterator(T start) : value_(start) {}

  T base() const { return value_; }
  T at(std::ptrdiff_t n) const { return static_cast<T>(value_ + static_cast<T>(n)); }
  void advance(std::ptrdiff_t n) { value_ = at(n); }
  std::ptrdiff_t distanceTo(const counting_iterator& other) const {
    return static_cast<std::ptrdiff_t>(other.value_) - static_cast<std::ptrdiff_t>(value_);
  }

 private:
  T value_{};
};

template <class T>
counting_iterator<T> make_counting_iterator(T start) {
  return counting_iterator<T>(start);
}

namespace detail {
template <class... T>
struct Access<counting_iterator<T...>> {
  static constexpr Place place = Place::anywhere;
  using Raw = counting_iterator<T...>;
  static Raw raw(Raw i) { return i; }
  static Raw back(Raw i) { return i; }
};
}  // namespace detail

}  // namespace thrust
