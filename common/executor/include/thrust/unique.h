/// \file
/// Keeps the first of each run of equal elements.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct unique_by_key_copyFunction {
  template <class Keys, class Values, class KeysOut, class Out, class Equal>
  auto operator()(Keys first, Keys last, Values values, KeysOut keysOut, Out out, Equal equal)
      const {
    using Key = typename std::iterator_traits<Keys>::value_type;
    const std::ptrdiff_t count = last - first;
    std::ptrdiff_t kept = 0;
    for (std::ptrdiff_t i = 0; i < count;) {
      const Key key = first[i];  // the output may be the input
      keysOut[kept] = key;
      out[kept] = values[i];
      ++kept;
      for (++i; i < count && equal(key, first[i]);) ++i;
    }
    noteWritten(keysOut, kept);
    noteWritten(out, kept);
    return std::make_pair(like<3>(keysOut + kept), like<4>(out + kept));
  }
  template <class Keys, class Values, class KeysOut, class Out>
  auto operator()(Keys first, Keys last, Values values, KeysOut keysOut, Out out) const {
    return (*this)(first, last, values, keysOut, out, std::equal_to<>());
  }
};
struct unique_by_keyFunction {
  template <class Keys, class Values, class... Equal>
  auto operator()(Keys first, Keys last, Values values, Equal... equal) const {
    const auto ends = unique_by_key_copyFunction()(first, last, values, first, values, equal...);
    return std::make_pair(like<0>(ends.first.raw), like<2>(ends.second.raw));
  }
};
struct unique_copyFunction {
  template <class In, class Out, class... Equal>
  auto operator()(In first, In last, Out out, Equal... equal) const {
    return like<2>(unique_by_key_copyFunction()(first, last, first, out, out, equal...).first.raw);
  }
};
struct uniqueFunction {
  template <class Iterator, class... Equal>
  auto operator()(Iterator first, Iterator last, Equal... equal) const {
    return like<0>(unique_copyFunction()(first, last, first, equal...).raw);
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(unique)
NBODY_THRUST_ALGORITHM(unique_copy)
NBODY_THRUST_ALGORITHM(unique_by_key)
NBODY_THRUST_ALGORITHM(unique_by_key_copy)

}  // namespace thrust
