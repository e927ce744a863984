/// \file
/// cooperative_groups: reductions and scans, in the order of the ranks, and what they do to two values.
#pragma once

#include "executor/language/groups/partitions.hpp"

namespace cooperative_groups {

#define NBODY_OPERATION(name, expression)                               \
  template <class T>                                                    \
  struct name {                                                         \
    T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };
NBODY_OPERATION(plus, a + b)
NBODY_OPERATION(less, b < a ? b : a)
NBODY_OPERATION(greater, a < b ? b : a)
NBODY_OPERATION(bit_and, a& b)
NBODY_OPERATION(bit_xor, a ^ b)
NBODY_OPERATION(bit_or, a | b)
#undef NBODY_OPERATION

/// \p operation over the values of all threads of \p group; every thread gets it.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"reduce()", file, line}, group.members(), value,
                               [&operation](T* const* values, int count) {
                                 T result = *values[0];
                                 for (int i = 1; i < count; ++i)
                                   result = operation(result, *values[i]);
                                 for (int i = 0; i < count; ++i) *values[i] = result;
                               });
}

/// \p operation over the values of ranks 0 to the caller's own.
template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"inclusive_scan()", file, line}, group.members(), value,
                               [&operation](T* const* values, int count) {
                                 for (int i = 1; i < count; ++i)
                                   *values[i] = operation(*values[i - 1], *values[i]);
                               });
}

/// \p operation over the values of the ranks below the caller's own; T() for rank 0.
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"exclusive_scan()", file, line}, group.members(), value,
                               [&operation](T* const* values, int count) {
                                 T sum = *values[0];
                                 *values[0] = T();
                                 for (int i = 1; i < count; ++i) {
                                   const T own = *values[i];
                                   *values[i] = sum;
                                   sum = operation(sum, own);
                                 }
                               });
}

template <class Group, class T>
T inclusive_scan(const Group& group, T value, NBODY_SITE) {
  return inclusive_scan(group, value, plus<T>(), file, line);
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, NBODY_SITE) {
  return exclusive_scan(group, value, plus<T>(), file, line);
}

}  // namespace cooperative_groups
