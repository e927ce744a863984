/// \file
/// Scans: of a range, of a function of it, of runs of equal keys.
#pragma once

#include "executor/language/libraries/ranges.hpp"
#include "thrust/detail/run.h"
#include "thrust/iterator/transform_iterator.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct inclusive_scanFunction {
  template <class In, class Out, class Operation>
  auto operator()(In first, In last, Out out, Operation operation) const {
    using T = typename std::iterator_traits<In>::value_type;
    const T* none = nullptr;
    const Out end = nbody::executor::scan<T>(first, last - first, out, operation, none, false);
    noteWritten(out, last - first);
    return like<2>(end);
  }
  template <class In, class Out>
  auto operator()(In first, In last, Out out) const {
    return (*this)(first, last, out, std::plus<>());
  }
};
struct exclusive_scanFunction {
  template <class In, class Out, class T, class Operation>
  auto operator()(In first, In last, Out out, T start, Operation operation) const {
    const Out end = nbody::executor::scan<T>(first, last - first, out, operation, &start, true);
    noteWritten(out, last - first);
    return like<2>(end);
  }
  template <class In, class Out, class T>
  auto operator()(In first, In last, Out out, T start) const {
    return (*this)(first, last, out, start, std::plus<>());
  }
  template <class In, class Out>
  auto operator()(In first, In last, Out out) const {
    return (*this)(first, last, out, typename std::iterator_traits<In>::value_type(0));
  }
};
struct transform_inclusive_scanFunction {
  template <class In, class Out, class Function, class Operation>
  auto operator()(In first, In last, Out out, Function function, Operation operation) const {
    return inclusive_scanFunction()(make_transform_iterator(first, function),
                                    make_transform_iterator(last, function),
                                    out,
                                    operation);
  }
};
struct transform_exclusive_scanFunction {
  template <class In, class Out, class Function, class T, class Operation>
  auto operator()(In first, In last, Out out, Function function, T start, Operation operation)
      const {
    return exclusive_scanFunction()(make_transform_iterator(first, function),
                                    make_transform_iterator(last, function),
                                    out,
                                    start,
                                    operation);
  }
};

/// Calls scan(first, end) for each run of equal keys.
template <class Keys, class Equal, class Scan>
void scanRuns(Keys first, std::ptrdiff_t count, Equal& equal, Scan scan) {
  for (std::ptrdiff_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && equal(first[end - 1], first[end]);) ++end;
    scan(i, end);
  }
}
struct inclusive_scan_by_keyFunction {
  template <class Keys, class In, class Out, class Equal, class Operation>
  auto operator()(Keys first, Keys last, In in, Out out, Equal equal, Operation operation) const {
    scanRuns(first, last - first, equal, [&](std::ptrdiff_t i, std::ptrdiff_t end) {
      inclusive_scanFunction()(in + i, in + end, out + i, operation);
    });
    return like<3>(out + (last - first));
  }
  template <class Keys, class In, class Out, class Equal>
  auto operator()(Keys first, Keys last, In in, Out out, Equal equal) const {
    return (*this)(first, last, in, out, equal, std::plus<>());
  }
  template <class Keys, class In, class Out>
  auto operator()(Keys first, Keys last, In in, Out out) const {
    return (*this)(first, last, in, out, std::equal_to<>());
  }
};
struct exclusive_scan_by_keyFunction {
  template <class Keys, class In, class Out, class T, class Equal, class Operation>
  auto operator()(Keys first, Keys last, In in, Out out, T start, Equal equal, Operation operation)
      const {
    scanRuns(first, last - first, equal, [&](std::ptrdiff_t i, std::ptrdiff_t end) {
      exclusive_scanFunction()(in + i, in + end, out + i, start, operation);
    });
    return like<3>(out + (last - first));
  }
  template <class Keys, class In, class Out, class T, class Equal>
  auto operator()(Keys first, Keys last, In in, Out out, T start, Equal equal) const {
    return (*this)(first, last, in, out, start, equal, std::plus<>());
  }
  template <class Keys, class In, class Out, class T>
  auto operator()(Keys first, Keys last, In in, Out out, T start) const {
    return (*this)(first, last, in, out, start, std::equal_to<>());
  }
  template <class Keys, class In, class Out>
  auto operator()(Keys first, Keys last, In in, Out out) const {
    return (*this)(first, last, in, out, typename std::iterator_traits<In>::value_type(0));
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(inclusive_scan)
NBODY_THRUST_ALGORITHM(exclusive_scan)
NBODY_THRUST_ALGORITHM(transform_inclusive_scan)
NBODY_THRUST_ALGORITHM(transform_exclusive_scan)
NBODY_THRUST_ALGORITHM(inclusive_scan_by_key)
NBODY_THRUST_ALGORITHM(exclusive_scan_by_key)

}  // namespace thrust
