/// \file
/// Takes elements out of a range.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct remove_copy_ifFunction {
  template <class In, class Out, class Predicate>
  auto operator()(In first, In last, Out out, Predicate predicate) const {
    return (*this)(first, last, first, out, predicate, like<2>(out));
  }
  template <class In, class Stencil, class Out, class Predicate>
  auto operator()(In first, In last, Stencil stencil, Out out, Predicate predicate) const {
    return (*this)(first, last, stencil, out, predicate, like<3>(out));
  }

 private:
  template <class In, class Stencil, class Out, class Predicate, class Result>
  Result operator()(In first, In last, Stencil stencil, Out out, Predicate predicate, Result result)
      const {
    std::ptrdiff_t count = 0;
    for (; first != last; ++first, ++stencil)
      if (!predicate(*stencil)) out[count++] = *first;
    noteWritten(out, count);
    result.raw = out + count;
    return result;
  }
};
struct remove_ifFunction {
  template <class Iterator, class Predicate>
  auto operator()(Iterator first, Iterator last, Predicate predicate) const {
    return like<0>(remove_copy_ifFunction()(first, last, first, predicate).raw);
  }
  template <class Iterator, class Stencil, class Predicate>
  auto operator()(Iterator first, Iterator last, Stencil stencil, Predicate predicate) const {
    return like<0>(remove_copy_ifFunction()(first, last, stencil, first, predicate).raw);
  }
};
struct removeFunction {
  template <class Iterator, class T>
  auto operator()(Iterator first, Iterator last, const T& value) const {
    return remove_ifFunction()(first, last, [&](const auto& x) { return x == value; });
  }
};
struct remove_copyFunction {
  template <class In, class Out, class T>
  auto operator()(In first, In last, Out out, const T& value) const {
    return remove_copy_ifFunction()(first, last, out, [&](const auto& x) { return x == value; });
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(remove)
NBODY_THRUST_ALGORITHM(remove_if)
NBODY_THRUST_ALGORITHM(remove_copy)
NBODY_THRUST_ALGORITHM(remove_copy_if)

}  // namespace thrust
