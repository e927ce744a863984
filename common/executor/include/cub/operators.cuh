/// \file
/// CUB's operations on two values, and their start values.
#pragma once

#include <limits>

namespace cub {

struct Sum {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct Max {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const -> decltype(true ? a : b) {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const -> decltype(true ? a : b) {
    return b < a ? b : a;
  }
};

namespace detail {

/// Start value of Min.
template <class T>
T greatest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

/// Start value of Max.
template <class T>
T least() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

}  // namespace detail

struct NullType {};

}  // namespace cub
