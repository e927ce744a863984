/// \file
/// Turns a range round, and exchanges two.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct reverse_copyFunction {
  template <class In, class Out>
  auto operator()(In first, In last, Out out) const {
    const std::ptrdiff_t count = last - first;
    for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = first[count - 1 - i];
    noteWritten(out, count);
    return like<2>(out + count);
  }
};
struct reverseFunction {
  template <class Iterator>
  void operator()(Iterator first, Iterator last) const {
    using T = typename std::iterator_traits<Iterator>::value_type;
    const std::vector<T> copy(first, last);
    std::copy(copy.rbegin(), copy.rend(), first);
  }
};
struct swap_rangesFunction {
  template <class A, class B>
  auto operator()(A first, A last, B second) const {
    using T = typename std::iterator_traits<A>::value_type;
    for (; first != last; ++first, ++second) {
      const T value = *first;
      *first = *second;
      *second = value;
    }
    return like<2>(second);
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(reverse)
NBODY_THRUST_ALGORITHM(reverse_copy)
NBODY_THRUST_ALGORITHM(swap_ranges)

}  // namespace thrust
