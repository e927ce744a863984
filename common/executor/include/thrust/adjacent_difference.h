/// \file
/// Differences of neighbours.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

/// out[0] = in[0], out[i] = operation(in[i], in[i - 1]).
struct adjacent_differenceFunction {
  template <class In, class Out, class Operation>
  auto operator()(In first, In last, Out out, Operation operation) const {
    using T = typename std::iterator_traits<In>::value_type;
    const std::ptrdiff_t count = last - first;
    for (std::ptrdiff_t i = count - 1; i > 0; --i)  // backwards: the output may be the input
      out[i] = operation(first[i], first[i - 1]);
    if (count > 0) out[0] = static_cast<T>(first[0]);
    noteWritten(out, count);
    return like<2>(out + count);
  }
  template <class In, class Out>
  auto operator()(In first, In last, Out out) const {
    return (*this)(first, last, out, std::minus<>());
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(adjacent_difference)

}  // namespace thrust
