/// \file
/// Searches in sorted ranges, of one value or of many.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

#define NBODY_SEARCH(name, search, value)                                                     \
  struct name##Function {                                                                     \
    /* Of one value. */                                                                       \
    template <class In, class T>                                                              \
    auto operator()(In first, In last, const T& x) const {                                    \
      return one(first, last, x, std::less<>());                                              \
    }                                                                                         \
    /* Of the values from \p wanted on: out[i] = the place. */                                \
    template <class In, class Wanted, class Out>                                              \
    auto operator()(In first, In last, Wanted wanted, Wanted end, Out out) const {            \
      return (*this)(first, last, wanted, end, out, std::less<>());                           \
    }                                                                                         \
    template <class In, class Wanted, class Out, class Less>                                  \
    auto operator()(In first, In last, Wanted wanted, Wanted end, Out out, Less less) const { \
      const Out start = out;                                                                  \
      for (; wanted != end; ++wanted, ++out) *out = value;                                    \
      noteWritten(start, out - start);                                                        \
      return like<4>(out);                                                                    \
    }                                                                                         \
                                                                                              \
   private:                                                                                   \
    template <class In, class T, class Less>                                                  \
    static auto one(In first, In last, const T& x, Less less) {                               \
      return search;                                                                          \
    }                                                                                         \
  };
NBODY_SEARCH(lower_bound,
             like<0>(std::lower_bound(first, last, x, less)),
             std::lower_bound(first, last, *wanted, less) - first)
NBODY_SEARCH(upper_bound,
             like<0>(std::upper_bound(first, last, x, less)),
             std::upper_bound(first, last, *wanted, less) - first)
NBODY_SEARCH(binary_search,
             std::binary_search(first, last, x, less),
             std::binary_search(first, last, *wanted, less))
#undef NBODY_SEARCH

}  // namespace detail

NBODY_THRUST_ALGORITHM(lower_bound)
NBODY_THRUST_ALGORITHM(upper_bound)
NBODY_THRUST_ALGORITHM(binary_search)

}  // namespace thrust
