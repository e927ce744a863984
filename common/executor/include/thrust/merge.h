/// \file
/// Merges sorted ranges, and takes them as sets.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

#define NBODY_OF_TWO(name)                                                   \
  struct name##Function {                                                    \
    template <class A, class B, class Out, class... Less>                    \
    auto operator()(A a, A aEnd, B b, B bEnd, Out out, Less... less) const { \
      const Out end = std::name(a, aEnd, b, bEnd, out, less...);             \
      noteWritten(out, end - out);                                           \
      return like<4>(end);                                                   \
    }                                                                        \
  };
NBODY_OF_TWO(merge)
NBODY_OF_TWO(set_union)
NBODY_OF_TWO(set_intersection)
NBODY_OF_TWO(set_difference)
NBODY_OF_TWO(set_symmetric_difference)
#undef NBODY_OF_TWO

}  // namespace detail

NBODY_THRUST_ALGORITHM(merge)
NBODY_THRUST_ALGORITHM(set_union)
NBODY_THRUST_ALGORITHM(set_intersection)
NBODY_THRUST_ALGORITHM(set_difference)
NBODY_THRUST_ALGORITHM(set_symmetric_difference)

}  // namespace thrust
