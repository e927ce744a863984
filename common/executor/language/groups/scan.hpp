/// \file
/// cooperative_groups: scans, in the order of the ranks.
#pragma once

#include "executor/language/groups/operations.hpp"
#include "executor/language/groups/partitions.hpp"

namespace cooperative_groups {

/// \p operation over the values of ranks 0 to the caller's own.
template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"inclusive_scan()", file, line},
                               group.members(),
                               value,
                               [&operation](T* const* values, int count) {
                                 for (int i = 1; i < count; ++i)
                                   *values[i] = operation(*values[i - 1], *values[i]);
                               });
}

/// \p operation over the values of the ranks below the caller's own; T() for rank 0.
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet({"exclusive_scan()", file, line},
                               group.members(),
                               value,
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
