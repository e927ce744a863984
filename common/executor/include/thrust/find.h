/// \file
/// Searches from the front, and questions about all elements.
#pragma once

#include "thrust/detail/run.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct find_ifFunction {
  template <class In, class Predicate>
  auto operator()(In first, In last, Predicate predicate) const {
    while (first != last && !predicate(*first)) ++first;
    return like<0>(first);
  }
};
struct find_if_notFunction {
  template <class In, class Predicate>
  auto operator()(In first, In last, Predicate predicate) const {
    while (first != last && predicate(*first)) ++first;
    return like<0>(first);
  }
};
struct findFunction {
  template <class In, class T>
  auto operator()(In first, In last, const T& value) const {
    return find_ifFunction()(first, last, [&](const auto& x) { return x == value; });
  }
};
struct any_ofFunction {
  template <class In, class Predicate>
  bool operator()(In first, In last, Predicate predicate) const {
    return find_ifFunction()(first, last, predicate).raw != last;
  }
};
struct all_ofFunction {
  template <class In, class Predicate>
  bool operator()(In first, In last, Predicate predicate) const {
    return find_if_notFunction()(first, last, predicate).raw == last;
  }
};
struct none_ofFunction {
  template <class In, class Predicate>
  bool operator()(In first, In last, Predicate predicate) const {
    return find_ifFunction()(first, last, predicate).raw == last;
  }
};
struct mismatchFunction {
  template <class A, class B, class Equal>
  auto operator()(A first, A last, B second, Equal equal) const {
    for (; first != last && equal(*first, *second); ++first) ++second;
    return std::make_pair(like<0>(first), like<2>(second));
  }
  template <class A, class B>
  auto operator()(A first, A last, B second) const {
    return (*this)(first, last, second, std::equal_to<>());
  }
};
struct equalFunction {
  template <class A, class B, class... Equal>
  bool operator()(A first, A last, B second, Equal... equal) const {
    return mismatchFunction()(first, last, second, equal...).first.raw == last;
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(find)
NBODY_THRUST_ALGORITHM(find_if)
NBODY_THRUST_ALGORITHM(find_if_not)
NBODY_THRUST_ALGORITHM(any_of)
NBODY_THRUST_ALGORITHM(all_of)
NBODY_THRUST_ALGORITHM(none_of)
NBODY_THRUST_ALGORITHM(mismatch)
NBODY_THRUST_ALGORITHM(equal)

}  // namespace thrust
