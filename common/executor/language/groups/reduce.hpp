/// \file
/// cooperative_groups: reductions, in the order of the ranks.
#pragma once

#include "executor/language/groups/operations.hpp"
#include "executor/language/groups/partitions.hpp"

namespace cooperative_groups {

/// \p operation over the values of all threads of \p group; every thread gets it.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, const Operation& operation, NBODY_SITE) {
  return nbody::executor::meet(
      {"reduce()", file, line}, group.members(), value, [&operation](T* const* values, int count) {
        T result = *values[0];
        for (int i = 1; i < count; ++i) result = operation(result, *values[i]);
        for (int i = 0; i < count; ++i) *values[i] = result;
      });
}

}  // namespace cooperative_groups
