/// \file
/// Replaces elements of a range.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct replace_copy_ifFunction {
  template <class In, class Out, class Predicate, class T>
  auto operator()(In first, In last, Out out, Predicate predicate, const T& value) const {
    using Value = typename std::iterator_traits<In>::value_type;
    const Out start = out;
    for (; first != last; ++first, ++out) {
      const Value old = *first;
      *out = predicate(old) ? static_cast<Value>(value) : old;
    }
    noteWritten(start, out - start);
    return like<2>(out);
  }
};
struct replace_ifFunction {
  template <class Iterator, class Predicate, class T>
  void operator()(Iterator first, Iterator last, Predicate predicate, const T& value) const {
    replace_copy_ifFunction()(first, last, first, predicate, value);
  }
  template <class Iterator, class Stencil, class Predicate, class T>
  void operator()(Iterator first,
                  Iterator last,
                  Stencil stencil,
                  Predicate predicate,
                  const T& value) const {
    for (; first != last; ++first, ++stencil)
      if (predicate(*stencil)) *first = value;
  }
};
struct replaceFunction {
  template <class Iterator, class T>
  void operator()(Iterator first, Iterator last, const T& old, const T& value) const {
    replace_ifFunction()(
        first, last, [&](const auto& x) { return x == old; }, value);
  }
};
struct replace_copyFunction {
  template <class In, class Out, class T>
  auto operator()(In first, In last, Out out, const T& old, const T& value) const {
    return replace_copy_ifFunction()(
        first, last, out, [&](const auto& x) { return x == old; }, value);
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(replace)
NBODY_THRUST_ALGORITHM(replace_if)
NBODY_THRUST_ALGORITHM(replace_copy)
NBODY_THRUST_ALGORITHM(replace_copy_if)

}  // namespace thrust
