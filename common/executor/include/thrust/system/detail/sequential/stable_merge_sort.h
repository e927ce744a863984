/// \file
/// Sorts in any order, on copies of the keys and values. The checker sees how the copies are made
/// and copied back, and what the comparison reads. Watching the sort itself would take several
/// times as long.
#pragma once

#include <thrust/copy.h>
#include <thrust/detail/config.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/detail/sequential/insertion_sort.h>

#include <new>

#include "executor/language/libraries/ranges.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

constexpr std::ptrdiff_t kFew = 32;  // so few elements are sorted in place, without copies

/// A copy of a range, and memory for another one.
template <class Policy, class Iterator>
class Copies {
 public:
  using T = typename thrust::iterator_value<Iterator>::type;

  /// \p fillsRoom: the program assigns to objects in the other memory, or reads them.
  Copies(Policy& policy, Iterator first, std::ptrdiff_t count,
         bool fillsRoom = !std::is_trivially_copyable_v<T>)
      : copy_(0, policy, count), room_(0, policy, count) {
    for (std::ptrdiff_t i = 0; i < count; ++i)
      new (copy() + i) T(thrust::raw_reference_cast(first[i]));
    if (!fillsRoom) return;
    for (std::ptrdiff_t i = 0; i < count; ++i) new (room() + i) T(copy()[i]);
  }
  T* copy() { return thrust::raw_pointer_cast(&*copy_.begin()); }
  T* room() { return thrust::raw_pointer_cast(&*room_.begin()); }
  void copyBack(Policy& policy, Iterator first) {
    thrust::copy(policy, copy_.begin(), copy_.end(), first);
  }

 private:
  thrust::detail::temporary_array<T, Policy> copy_, room_;
};

template <class Policy, class Keys, class Less>
void stable_merge_sort(execution_policy<Policy>& system, Keys first, Keys last, Less less) {
  using Key = typename Copies<Policy, Keys>::T;
  if (last - first <= kFew) return insertion_sort(first, last, less);
  Policy& policy = thrust::detail::derived_cast(system);
  Copies<Policy, Keys> keys(policy, first, last - first, true);
  nbody::executor::mergeSort<Key, Key>(last - first, {keys.copy(), nullptr}, {keys.room(), nullptr},
                                       less);
  keys.copyBack(policy, first);
}

template <class Policy, class Keys, class Values, class Less>
void stable_merge_sort_by_key(execution_policy<Policy>& system, Keys first, Keys last,
                              Values firstValue, Less less) {
  using Key = typename Copies<Policy, Keys>::T;
  using Value = typename Copies<Policy, Values>::T;
  if (last - first <= kFew) return insertion_sort_by_key(first, last, firstValue, less);
  Policy& policy = thrust::detail::derived_cast(system);
  Copies<Policy, Keys> keys(policy, first, last - first, true);
  Copies<Policy, Values> values(policy, firstValue, last - first);
  nbody::executor::mergeSort<Key, Value>(last - first, {keys.copy(), values.copy()},
                                         {keys.room(), values.room()}, less);
  keys.copyBack(policy, first);
  values.copyBack(policy, firstValue);
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
