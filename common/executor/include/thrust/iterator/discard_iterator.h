/// \file
/// Takes any value and forgets it.
#pragma once

#include "thrust/detail/computed_iterator.h"
#include "thrust/detail/system.h"

namespace thrust {

namespace detail {
struct Discarded {
  template <class T>
  const Discarded& operator=(const T&) const {
    return *this;
  }
};
}  // namespace detail

template <class System = void>
class discard_iterator : public detail::ComputedIterator<discard_iterator<System>,
                                                         detail::Discarded,
                                                         detail::Discarded> {
 public:
  explicit discard_iterator(std::ptrdiff_t place = 0) : place_(place) {}

  detail::Discarded at(std::ptrdiff_t) const { return {}; }
  void advance(std::ptrdiff_t n) { place_ += n; }
  std::ptrdiff_t distanceTo(const discard_iterator& other) const { return other.place_ - place_; }

 private:
  std::ptrdiff_t place_;
};

inline discard_iterator<> make_discard_iterator() { return discard_iterator<>(); }

namespace detail {
template <class System>
struct Access<discard_iterator<System>> {
  static constexpr Place place = Place::anywhere;
  using Raw = discard_iterator<System>;
  static Raw raw(Raw i) { return i; }
  static Raw back(Raw i) { return i; }
};
}  // namespace detail

}  // namespace thrust
