/// \file
/// CUB's operations on two values, what they begin with, and its pair of index and value.
#pragma once

#include <limits>

namespace cub {

struct Sum {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct Difference {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const {
    return a - b;
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

/// What Min begins with.
template <class T>
T greatest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

/// What Max begins with.
template <class T>
T least() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

}  // namespace detail

struct Equality {
  template <class T, class U>
  bool operator()(const T& a, const U& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U>
  bool operator()(const T& a, const U& b) const {
    return !(a == b);
  }
};

template <class Key, class Value>
struct KeyValuePair {
  typedef Key KeyType;
  typedef Value ValueType;
  Key key;
  Value value;
  bool operator!=(const KeyValuePair& b) const { return !(key == b.key && value == b.value); }
};

/// The pair of the greater, or less, value; of equal ones that of the lower key.
struct ArgMax {
  template <class P>
  P operator()(const P& a, const P& b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class P>
  P operator()(const P& a, const P& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

/// Two buffers of which one holds what counts.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};
struct NullType {};

}  // namespace cub
