/// \file
/// Reductions over a block or a warp, of which the first thread gets the result.
#pragma once

#include "cub/detail/collective.cuh"
#include "cub/operators.cuh"

namespace cub {
namespace detail {

/// Reduces the first \p valid values of \p members, in the order of the ranks.
template <int Threads, class T, class Operation>
NBODY_ALWAYS_INLINE T reduce(Storage<Threads>* storage,
                             Site site,
                             Members members,
                             unsigned rank,
                             T value,
                             const Operation& operation,
                             int valid) {
  const T result =
      meetBy(storage, site, members, rank, value, [&operation, valid](T* const* values, int count) {
        T sum = *values[0];
        for (int i = 1; i < count && i < valid; ++i) sum = operation(sum, *values[i]);
        *values[0] = sum;
      });
  return rank == 0 ? result : undefinedValue(value);
}

}  // namespace detail
}  // namespace cub
