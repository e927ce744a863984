/// \file
/// Copies ranges, also between the memories, and picks elements.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct copyFunction {
  template <class In, class Out>
  auto operator()(In first, In last, Out out) const {
    const std::ptrdiff_t count = std::distance(first, last);
    const Out end = std::copy(first, last, out);  // out + count, which std::ostream_iterator lacks
    noteWritten(out, count);
    nbody::executor::noteCopied(first, count, out);
    return like<2>(end);
  }
};
struct copy_nFunction {
  template <class In, class Size, class Out>
  auto operator()(In first, Size count, Out out) const {
    return copyFunction()(first, first + static_cast<std::ptrdiff_t>(count), out);
  }
};
/// Those for which \p predicate holds, of the element or of the stencil's.
struct copy_ifFunction {
  template <class In, class Out, class Predicate>
  auto operator()(In first, In last, Out out, Predicate predicate) const {
    const Out start = out;
    for (; first != last; ++first)
      if (predicate(*first)) *out++ = *first;
    noteWritten(start, out - start);
    return like<2>(out);
  }
  template <class In, class Stencil, class Out, class Predicate>
  auto operator()(In first, In last, Stencil stencil, Out out, Predicate predicate) const {
    const Out start = out;
    for (; first != last; ++first, ++stencil)
      if (predicate(*stencil)) *out++ = *first;
    noteWritten(start, out - start);
    return like<3>(out);
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(copy)
NBODY_THRUST_ALGORITHM(copy_n)
NBODY_THRUST_ALGORITHM(copy_if)
template <class First, class... Rest>
auto uninitialized_copy(const First& first, const Rest&... rest) {
  return copy(first, rest...);
}

}  // namespace thrust
