/// \file
/// Sorts numbers by digits, as Thrust does, between copies. The checker sees how these are made and copied
/// back. It would take five times as long if it saw the sort itself.
#pragma once

#include <thrust/copy.h>
#include <thrust/detail/config.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/functional.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>
#include <thrust/system/detail/sequential/stable_radix_sort.h>

#include "executor/language/libraries/ranges.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

constexpr std::ptrdiff_t kFew = 32;  // numbers that Thrust's merge sort sorts without more memory

/// A copy of a range, and room for another.
template <class Policy, class Iterator>
class Copies {
 public:
  using T = typename thrust::iterator_value<Iterator>::type;

  Copies(Policy& policy, Iterator first, std::ptrdiff_t count)
      : copy_(0, policy, count), room_(0, policy, count) {
    for (std::ptrdiff_t i = 0; i < count; ++i) copy()[i] = thrust::raw_reference_cast(first[i]);
  }
  T* copy() { return thrust::raw_pointer_cast(&*copy_.begin()); }
  T* room() { return thrust::raw_pointer_cast(&*room_.begin()); }
  void copyBack(Policy& policy, Iterator first) {
    thrust::copy(policy, copy_.begin(), copy_.end(), first);
  }

 private:
  thrust::detail::temporary_array<T, Policy> copy_, room_;
};

template <class Policy, class Keys>
void stable_primitive_sort(execution_policy<Policy>& system, Keys first, Keys last) {
  using Key = typename Copies<Policy, Keys>::T;
  if (last - first <= kFew) return stable_merge_sort(system, first, last, thrust::less<Key>());
  Policy& policy = thrust::detail::derived_cast(system);
  Copies<Policy, Keys> keys(policy, first, last - first);
  nbody::executor::sortPairs<Key, Key>(last - first, {keys.copy(), nullptr},
                                       {keys.room(), nullptr});
  keys.copyBack(policy, first);
}

template <class Policy, class Keys, class Values>
void stable_primitive_sort_by_key(execution_policy<Policy>& system, Keys first, Keys last,
                                  Values firstValue) {
  using Key = typename Copies<Policy, Keys>::T;
  using Value = typename Copies<Policy, Values>::T;
  if (last - first <= kFew) {
    stable_merge_sort_by_key(system, first, last, firstValue, thrust::less<Key>());
  } else if constexpr (std::is_trivially_copyable_v<Value>) {
    Policy& policy = thrust::detail::derived_cast(system);
    Copies<Policy, Keys> keys(policy, first, last - first);
    Copies<Policy, Values> values(policy, firstValue, last - first);
    nbody::executor::sortPairs<Key, Value>(last - first, {keys.copy(), values.copy()},
                                           {keys.room(), values.room()});
    keys.copyBack(policy, first);
    values.copyBack(policy, firstValue);
  } else {
    stable_radix_sort_by_key(system, first, last, firstValue);
  }
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
