/// \file
/// CUB's iterators: Thrust's.
#pragma once

#include "thrust/iterator/constant_iterator.h"
#include "thrust/iterator/counting_iterator.h"
#include "thrust/iterator/discard_iterator.h"
#include "thrust/iterator/transform_iterator.h"

namespace cub {

template <class T, class Difference = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class Difference = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
using DiscardOutputIterator = thrust::discard_iterator<>;

/// \p function of the values of an iterator.
template <class T, class Function, class Iterator, class Difference = std::ptrdiff_t>
struct TransformInputIterator : thrust::transform_iterator<Function, Iterator, T> {
  TransformInputIterator(Iterator iterator, Function function)
      : thrust::transform_iterator<Function, Iterator, T>(iterator, function) {}
};

}  // namespace cub
