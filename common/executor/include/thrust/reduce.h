/// \file
/// Reductions: of a range, of a function of it, of runs of equal keys.
#pragma once

#include "executor/language/libraries/ranges.hpp"
#include "thrust/detail/run.h"
#include "thrust/iterator/transform_iterator.h"
#include "thrust/iterator/zip_iterator.h"

namespace thrust {
namespace detail {

struct reduceFunction {
  template <class In, class T, class Operation>
  T operator()(In first, In last, T start, Operation operation) const {
    const std::ptrdiff_t count = last - first;
    if (count == 0) return start;
    return static_cast<T>(
        operation(start, nbody::executor::treeReduce<T>(first, count, operation)));
  }
  template <class In, class T>
  T operator()(In first, In last, T start) const {
    return (*this)(first, last, start, std::plus<T>());
  }
  template <class In>
  auto operator()(In first, In last) const {
    return (*this)(first, last, typename std::iterator_traits<In>::value_type(0));
  }
};
struct transform_reduceFunction {
  template <class In, class Function, class T, class Operation>
  T operator()(In first, In last, Function function, T start, Operation operation) const {
    return reduceFunction()(make_transform_iterator(first, function),
                            make_transform_iterator(last, function),
                            start,
                            operation);
  }
};
struct inner_productFunction {
  template <class A, class B, class T, class Sum, class Product>
  T operator()(A first, A last, B second, T start, Sum sum, Product product) const {
    const auto of = [product](const auto& pair) mutable {
      return product(std::get<0>(pair), std::get<1>(pair));
    };
    return transform_reduceFunction()(make_zip_iterator(first, second),
                                      make_zip_iterator(last, second + (last - first)),
                                      of,
                                      start,
                                      sum);
  }
  template <class A, class B, class T>
  T operator()(A first, A last, B second, T start) const {
    return (*this)(first, last, second, start, std::plus<T>(), std::multiplies<T>());
  }
};

/// Of each run of equal keys the key and the reduction of its values.
struct reduce_by_keyFunction {
  template <class Keys, class Values, class KeysOut, class Out, class Equal, class Operation>
  auto operator()(Keys first,
                  Keys last,
                  Values values,
                  KeysOut keysOut,
                  Out out,
                  Equal equal,
                  Operation operation) const {
    using T = typename std::iterator_traits<Values>::value_type;
    const std::ptrdiff_t count = last - first;
    std::ptrdiff_t run = 0;
    for (std::ptrdiff_t i = 0, end; i < count; i = end, ++run) {
      for (end = i + 1; end < count && equal(first[end - 1], first[end]);) ++end;
      keysOut[run] = first[i];
      out[run] = nbody::executor::treeReduce<T>(values + i, end - i, operation);
    }
    noteWritten(keysOut, run);
    noteWritten(out, run);
    return std::make_pair(like<3>(keysOut + run), like<4>(out + run));
  }
  template <class Keys, class Values, class KeysOut, class Out, class Equal>
  auto operator()(Keys first, Keys last, Values values, KeysOut keysOut, Out out, Equal equal)
      const {
    return (*this)(first, last, values, keysOut, out, equal, std::plus<>());
  }
  template <class Keys, class Values, class KeysOut, class Out>
  auto operator()(Keys first, Keys last, Values values, KeysOut keysOut, Out out) const {
    return (*this)(first, last, values, keysOut, out, std::equal_to<>());
  }
};

struct count_ifFunction {
  template <class In, class Predicate>
  std::ptrdiff_t operator()(In first, In last, Predicate predicate) const {
    std::ptrdiff_t count = 0;
    for (; first != last; ++first) count += predicate(*first) ? 1 : 0;
    return count;
  }
};
struct countFunction {
  template <class In, class T>
  std::ptrdiff_t operator()(In first, In last, const T& value) const {
    return count_ifFunction()(first, last, [&](const auto& x) { return x == value; });
  }
};

}  // namespace detail

NBODY_THRUST_ALGORITHM(reduce)
NBODY_THRUST_ALGORITHM(transform_reduce)
NBODY_THRUST_ALGORITHM(inner_product)
NBODY_THRUST_ALGORITHM(reduce_by_key)
NBODY_THRUST_ALGORITHM(count)
NBODY_THRUST_ALGORITHM(count_if)

}  // namespace thrust
