/// \file
/// Sorts, all of them stable, and asks whether ranges are sorted.
#pragma once

#include "executor/language/libraries/ranges.hpp"
#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;

/// Whether Less orders numbers from the least up, or from the greatest down.
template <class Less, class T>
constexpr bool isUp =
    std::is_same<Less, std::less<T>>::value || std::is_same<Less, std::less<>>::value ||
    std::is_same<Less, less<T>>::value || std::is_same<Less, less<>>::value;
template <class Less, class T>
constexpr bool isDown =
    std::is_same<Less, std::greater<T>>::value || std::is_same<Less, std::greater<>>::value ||
    std::is_same<Less, greater<T>>::value || std::is_same<Less, greater<>>::value;

/// Ranks in the stable order of the values from \p first on.
template <class Iterator, class Less>
std::vector<std::ptrdiff_t> orderOf(Iterator first, std::ptrdiff_t count, Less& less) {
  using T = ValueOf<Iterator>;
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= 8 && (isUp<Less, T> || isDown<Less, T>)) {
    return nbody::executor::radixOrder(first, count, 0, 8 * sizeof(T), isDown<Less, T>);
  } else {
    std::vector<std::ptrdiff_t> order(static_cast<std::size_t>(count));
    for (std::ptrdiff_t i = 0; i < count; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      return static_cast<bool>(less(first[a], first[b]));
    });
    return order;
  }
}

struct stable_sortFunction {
  template <class Iterator, class Less>
  void operator()(Iterator first, Iterator last, Less less) const {
    using T = ValueOf<Iterator>;
    if constexpr (std::is_pointer_v<Iterator> && !std::is_arithmetic_v<T>)
      std::stable_sort(first, last, less);
    else nbody::executor::permute(orderOf(first, last - first, less), first, first);
  }
  template <class Iterator>
  void operator()(Iterator first, Iterator last) const {
    (*this)(first, last, std::less<ValueOf<Iterator>>());
  }
};
struct stable_sort_by_keyFunction {
  template <class Keys, class Values, class Less>
  void operator()(Keys first, Keys last, Values values, Less less) const {
    const auto order = orderOf(first, last - first, less);
    nbody::executor::permute(order, first, first);
    nbody::executor::permute(order, values, values);
  }
  template <class Keys, class Values>
  void operator()(Keys first, Keys last, Values values) const {
    (*this)(first, last, values, std::less<ValueOf<Keys>>());
  }
};
using sortFunction = stable_sortFunction;
using sort_by_keyFunction = stable_sort_by_keyFunction;

struct is_sorted_untilFunction {
  template <class Iterator, class Less>
  auto operator()(Iterator first, Iterator last, Less less) const {
    if (first == last) return like<0>(last);
    Iterator next = first;
    for (++next; next != last && !less(*next, *first); ++next) ++first;
    return like<0>(next);
  }
  template <class Iterator>
  auto operator()(Iterator first, Iterator last) const {
    return (*this)(first, last, std::less<ValueOf<Iterator>>());
  }
};
struct is_sortedFunction {
  template <class Iterator, class... Less>
  bool operator()(Iterator first, Iterator last, Less... less) const {
    return is_sorted_untilFunction()(first, last, less...).raw == last;
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(sort)
NBODY_THRUST_ALGORITHM(stable_sort)
NBODY_THRUST_ALGORITHM(sort_by_key)
NBODY_THRUST_ALGORITHM(stable_sort_by_key)
NBODY_THRUST_ALGORITHM(is_sorted)
NBODY_THRUST_ALGORITHM(is_sorted_until)

}  // namespace thrust
