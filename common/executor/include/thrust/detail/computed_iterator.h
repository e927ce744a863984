/// \file
/// Random access iterators that compute what they give: a place, counted from a start.
#pragma once

#include <cstddef>
#include <iterator>

namespace thrust {
namespace detail {

/// Derived has `at(n)`, what the iterator gives n places on, and `place()`, its place.
template <class Derived, class Value, class Reference>
class ComputedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Reference;

  Reference operator*() const { return self().at(0); }
  Reference operator[](std::ptrdiff_t n) const { return self().at(n); }
  Derived& operator+=(std::ptrdiff_t n) {
    self().advance(n);
    return self();
  }
  Derived& operator-=(std::ptrdiff_t n) { return *this += -n; }
  Derived& operator++() { return *this += 1; }
  Derived& operator--() { return *this += -1; }
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
  friend std::ptrdiff_t operator-(const Derived& a, const Derived& b) { return b.distanceTo(a); }
  friend bool operator==(const Derived& a, const Derived& b) { return a - b == 0; }
  friend bool operator!=(const Derived& a, const Derived& b) { return a - b != 0; }
  friend bool operator<(const Derived& a, const Derived& b) { return a - b < 0; }
  friend bool operator>(const Derived& a, const Derived& b) { return a - b > 0; }
  friend bool operator<=(const Derived& a, const Derived& b) { return a - b <= 0; }
  friend bool operator>=(const Derived& a, const Derived& b) { return a - b >= 0; }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail
}  // namespace thrust
