/// \file
/// Brings those elements to the front for which a predicate holds.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct partition_copyFunction {
  template <class In, class True, class False, class Predicate>
  auto operator()(In first, In last, True yes, False no, Predicate predicate) const {
    const True firstYes = yes;
    const False firstNo = no;
    for (; first != last; ++first) {
      if (predicate(*first)) *yes++ = *first;
      else *no++ = *first;
    }
    noteWritten(firstYes, yes - firstYes);
    noteWritten(firstNo, no - firstNo);
    return std::make_pair(like<2>(yes), like<3>(no));
  }
};
struct stable_partitionFunction {
  template <class Iterator, class Predicate>
  auto operator()(Iterator first, Iterator last, Predicate predicate) const {
    std::vector<typename std::iterator_traits<Iterator>::value_type> others;
    Iterator out = first;
    for (Iterator i = first; i != last; ++i) {
      if (predicate(*i)) *out++ = *i;
      else others.push_back(*i);
    }
    std::copy(others.begin(), others.end(), out);
    return like<0>(out);
  }
};
using partitionFunction = stable_partitionFunction;

}  // namespace detail

NBODY_THRUST_ALGORITHM(partition)
NBODY_THRUST_ALGORITHM(stable_partition)
NBODY_THRUST_ALGORITHM(partition_copy)

}  // namespace thrust
