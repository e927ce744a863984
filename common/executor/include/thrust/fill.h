/// \file
/// Fills ranges: with a value, with what a function gives, with a sequence.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

/// Writes value(i) to every place, by the way of what is there.
template <class Out, class Value>
Out writeAll(Out first, std::ptrdiff_t count, Value value) {
  for (std::ptrdiff_t i = 0; i < count; ++i) first[i] = value(i);
  noteWritten(first, count);
  return first + count;
}

struct fillFunction {
  template <class Out, class T>
  void operator()(Out first, Out last, const T& value) const {
    writeAll(first, last - first, [&](std::ptrdiff_t) { return value; });
  }
};
struct fill_nFunction {
  template <class Out, class Size, class T>
  auto operator()(Out first, Size count, const T& value) const {
    return like<0>(
        writeAll(first, static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t) { return value; }));
  }
};
struct generateFunction {
  template <class Out, class Generator>
  void operator()(Out first, Out last, Generator generator) const {
    writeAll(first, last - first, [&](std::ptrdiff_t) { return generator(); });
  }
};
struct generate_nFunction {
  template <class Out, class Size, class Generator>
  auto operator()(Out first, Size count, Generator generator) const {
    return like<0>(writeAll(
        first, static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t) { return generator(); }));
  }
};
/// start, start + step, ...
struct sequenceFunction {
  template <class Out, class T, class Step>
  void operator()(Out first, Out last, T start, Step step) const {
    writeAll(first, last - first, [&](std::ptrdiff_t i) {
      return static_cast<T>(start + static_cast<T>(i) * step);
    });
  }
  template <class Out, class T>
  void operator()(Out first, Out last, T start) const {
    (*this)(first, last, start, T(1));
  }
  template <class Out>
  void operator()(Out first, Out last) const {
    (*this)(first, last, typename std::iterator_traits<Out>::value_type(0));
  }
};
/// A function of the index.
struct tabulateFunction {
  template <class Out, class Function>
  void operator()(Out first, Out last, Function function) const {
    writeAll(first, last - first, [&](std::ptrdiff_t i) { return function(i); });
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(fill)
NBODY_THRUST_ALGORITHM(fill_n)
NBODY_THRUST_ALGORITHM(generate)
NBODY_THRUST_ALGORITHM(generate_n)
NBODY_THRUST_ALGORITHM(sequence)
NBODY_THRUST_ALGORITHM(tabulate)
template <class First, class... Rest>
auto uninitialized_fill(const First& first, const Rest&... rest) {
  return fill(first, rest...);
}

}  // namespace thrust
