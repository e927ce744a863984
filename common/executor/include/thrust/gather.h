/// \file
/// Reads by an index, and writes by one.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/permutation_iterator.h"

namespace thrust {
namespace detail {

/// out[i] = in[map[i]], where \p predicate holds of stencil[i].
struct gather_ifFunction {
  template <class Map, class Stencil, class In, class Out, class Predicate>
  auto operator()(Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++stencil, ++out) {
      if (!predicate(*stencil)) continue;
      *out = in[static_cast<std::ptrdiff_t>(*first)];
      noteWritten(out, 1);
    }
    return like<4>(out);
  }
  template <class Map, class Stencil, class In, class Out>
  auto operator()(Map first, Map last, Stencil stencil, In in, Out out) const {
    return (*this)(first, last, stencil, in, out, [](const auto& flag) { return bool(flag); });
  }
};
struct gatherFunction {
  template <class Map, class In, class Out>
  auto operator()(Map first, Map last, In in, Out out) const {
    const Out start = out;
    for (; first != last; ++first, ++out) *out = in[static_cast<std::ptrdiff_t>(*first)];
    noteWritten(start, out - start);
    return like<3>(out);
  }
};
/// out[map[i]] = in[i], where \p predicate holds of stencil[i].
struct scatter_ifFunction {
  template <class In, class Map, class Stencil, class Out, class Predicate>
  void operator()(In first, In last, Map map, Stencil stencil, Out out, Predicate predicate) const {
    for (; first != last; ++first, ++map, ++stencil) {
      if (!predicate(*stencil)) continue;
      const auto place = static_cast<std::ptrdiff_t>(*map);
      out[place] = *first;
      noteWritten(out + place, 1);
    }
  }
  template <class In, class Map, class Stencil, class Out>
  void operator()(In first, In last, Map map, Stencil stencil, Out out) const {
    (*this)(first, last, map, stencil, out, [](const auto& flag) { return bool(flag); });
  }
};
struct scatterFunction {
  template <class In, class Map, class Out>
  void operator()(In first, In last, Map map, Out out) const {
    scatter_ifFunction()(first, last, map, map, out, [](const auto&) { return true; });
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(gather)
NBODY_THRUST_ALGORITHM(gather_if)
NBODY_THRUST_ALGORITHM(scatter)
NBODY_THRUST_ALGORITHM(scatter_if)

}  // namespace thrust
