/// \file
/// Thrust's copies between host and device, with cudaMemcpy().
#pragma once

#include <thrust/iterator/iterator_traits.h>
#include <thrust/system_error.h>  // programs use it without including it, as with nvcc
#include <thrust/type_traits/is_contiguous_iterator.h>

#include "executor/language/libraries/thrust_policies.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <class Iterator>
constexpr bool isOnDevice =
    std::is_convertible_v<typename thrust::iterator_system<Iterator>::type, tag>;

/// True if an iterator is over an array of T. An iterator that only writes may have no value type.
template <class Iterator, class T>
constexpr bool isArrayOf = thrust::is_contiguous_iterator<Iterator>::value&&
    std::is_same_v<std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>, T>;

/// Copies an array from the host or the device to the other side.
template <class T, class Out>
Out copyArray(const T* from, std::size_t count, Out out) {
  if constexpr (isArrayOf<Out, T>) {
    copyBytes(rawPointer(&*out), from, count);
    return out + static_cast<std::ptrdiff_t>(count);
  } else if constexpr (isOnDevice<Out>) {
    const Scratch<T> values(count);
    copyBytes(values.get(), from, count);
    tag device;
    return copy(device, values.get(), values.get() + count, out);
  } else {
    Objects<T> values(count);
    copyBytes(values.get(), from, count);
    for (std::size_t i = 0; i < count; ++i, ++out) *out = values.get()[i];
    return out;
  }
}

template <class In, class Size, class Out>
Out copy_n(Crossing&, In first, Size count, Out out) {
  using T = std::remove_cv_t<typename std::iterator_traits<In>::value_type>;
  if (count <= 0) return out;
  const auto n = static_cast<std::size_t>(count);
  if constexpr (isArrayOf<In, T>) {
    return copyArray<T>(rawPointer(&*first), n, out);
  } else if constexpr (isOnDevice<In>) {
    const Scratch<T> values(n);
    tag device;
    copy_n(device, first, count, values.get());
    return copyArray<T>(values.get(), n, out);
  } else {
    Objects<T> values(n);
    for (std::size_t i = 0; i < n; ++i, ++first) new (values.get() + i) T(*first);
    return copyArray<T>(values.get(), n, out);
  }
}
template <class In, class Out>
Out copy(Crossing& crossing, In first, In last, Out out) {
  return copy_n(crossing, first, std::distance(first, last), out);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
