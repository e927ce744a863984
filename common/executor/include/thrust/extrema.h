/// \file
/// The least and the greatest element of a range.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct min_elementFunction {
  template <class In, class Less>
  auto operator()(In first, In last, Less less) const {
    In best = first;
    for (In i = first; i != last; ++i)
      if (less(*i, *best)) best = i;
    return like<0>(best);
  }
  template <class In>
  auto operator()(In first, In last) const {
    return (*this)(first, last, std::less<typename std::iterator_traits<In>::value_type>());
  }
};
struct max_elementFunction {
  template <class In, class Less>
  auto operator()(In first, In last, Less less) const {
    In best = first;
    for (In i = first; i != last; ++i)
      if (less(*best, *i)) best = i;
    return like<0>(best);
  }
  template <class In>
  auto operator()(In first, In last) const {
    return (*this)(first, last, std::less<typename std::iterator_traits<In>::value_type>());
  }
};
struct minmax_elementFunction {
  template <class In, class... Less>
  auto operator()(In first, In last, Less... less) const {
    return std::make_pair(min_elementFunction()(first, last, less...),
                          max_elementFunction()(first, last, less...));
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(min_element)
NBODY_THRUST_ALGORITHM(max_element)
NBODY_THRUST_ALGORITHM(minmax_element)
using std::max;
using std::min;

}  // namespace thrust
