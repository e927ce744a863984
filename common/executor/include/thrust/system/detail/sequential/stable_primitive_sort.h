/// \file
/// Sorts numbers by digits, on copies; see stable_merge_sort.h.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/functional.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class Policy, class Keys>
void stable_primitive_sort(execution_policy<Policy>& system, Keys first, Keys last) {
  using Key = typename Copies<Policy, Keys>::T;
  if (last - first <= kFew) return insertion_sort(first, last, thrust::less<Key>());
  Policy& policy = thrust::detail::derived_cast(system);
  Copies<Policy, Keys> keys(policy, first, last - first);
  nbody::executor::radixSort<Key, Key>(last - first, {keys.copy(), nullptr},
                                       {keys.room(), nullptr});
  keys.copyBack(policy, first);
}

template <class Policy, class Keys, class Values>
void stable_primitive_sort_by_key(execution_policy<Policy>& system, Keys first, Keys last,
                                  Values firstValue) {
  using Key = typename Copies<Policy, Keys>::T;
  using Value = typename Copies<Policy, Values>::T;
  if (last - first <= kFew)
    return insertion_sort_by_key(first, last, firstValue, thrust::less<Key>());
  Policy& policy = thrust::detail::derived_cast(system);
  Copies<Policy, Keys> keys(policy, first, last - first);
  Copies<Policy, Values> values(policy, firstValue, last - first);
  nbody::executor::radixSort<Key, Value>(last - first, {keys.copy(), values.copy()},
                                         {keys.room(), values.room()});
  keys.copyBack(policy, first);
  values.copyBack(policy, firstValue);
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
